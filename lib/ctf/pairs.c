/*
 * pairs.c - begin and end events of tracers that write CTF
 */
#include "model/pairs.h"
#include "ctf/stream.h"

/* LTTng in user space. */
static const char *const user_space[] = {
	"lttng_ust_cyg_profile:func_entry lttng_ust_cyg_profile:func_exit by tid, addr as function",
	"lttng_ust_cyg_profile_fast:func_entry lttng_ust_cyg_profile_fast:func_exit by tid show begin.addr as function",
	"lttng_ust_libc:malloc lttng_ust_libc:free by pid, ptr show begin.size latest as malloc",
	"lttng_ust_libc:calloc lttng_ust_libc:free by pid, ptr latest as calloc",
	"lttng_ust_libc:memalign lttng_ust_libc:free by pid, ptr latest as memalign",
	"lttng_ust_libc:posix_memalign lttng_ust_libc:free by pid, out_ptr = ptr latest as posix_memalign",
	"lttng_ust_pthread:pthread_mutex_lock_req lttng_ust_pthread:pthread_mutex_lock_acq by tid, mutex as mutex_wait",
	"lttng_ust_pthread:pthread_mutex_lock_acq lttng_ust_pthread:pthread_mutex_unlock by tid, mutex as mutex_held",
	"lttng_ust_dl:dlopen lttng_ust_dl:dlclose by pid, handle as library",
	NULL
};

static const char *const ros2[] = {
	"ros2:callback_start ros2:callback_end by tid, callback as callback",
	"ros2:rclcpp_executor_execute ros2:rclcpp_executor_get_next_ready by tid as execute",
	"dds:write_pre dds:write by tid as dds_write",
	NULL
};

static const char *const *const known[] = { tn_kernel_pairs, user_space, ros2, NULL };

const struct tn_pair_rules tn_ctf_pairs = { .known = known };
