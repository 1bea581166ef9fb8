/*
 * kernel_pairs.c - begin and end events of the Linux kernel, by the names of LTTng's kernel tracer, 2.0 to 2.14
 */
#include "model/pairs.h"

const char *const tn_kernel_pairs[] = {
	"syscall_entry_* syscall_exit_* by tid as *",
	"compat_syscall_entry_* compat_syscall_exit_* by tid as *",
	"sys_* exit_syscall by tid as *",
	"compat_sys_* exit_syscall by tid as *",
	"irq_handler_entry irq_handler_exit by cpu, irq as irq",
	"softirq_entry softirq_exit by cpu, vec as softirq",
	"irq_softirq_entry irq_softirq_exit by cpu, vec as softirq",
	"softirq_raise softirq_entry by cpu, vec latest as softirq_raised",
	"irq_tasklet_low_entry irq_tasklet_low_exit by cpu as tasklet",
	"irq_tasklet_hi_entry irq_tasklet_hi_exit by cpu as tasklet_hi",
	"sched_switch sched_switch by cpu, next_tid = prev_tid show begin.next_comm as running",
	"sched_waking sched_switch by event.fields.tid = next_tid show comm latest as waking",
	"sched_wakeup sched_switch by event.fields.tid = next_tid show comm latest as wakeup",
	/* ftrace and perf use the kernel's name pid for the number of a thread. */
	"sched:sched_switch sched:sched_switch by cpu, next_pid = prev_pid show begin.next_comm as running",
	"sched:sched_waking sched:sched_switch by event.fields.pid = next_pid show event.fields.comm latest as waking",
	"sched:sched_wakeup sched:sched_switch by event.fields.pid = next_pid show event.fields.comm latest as wakeup",
	"raw_syscalls:sys_enter raw_syscalls:sys_exit by tid show begin.id as syscall",
	"syscalls:sys_enter_* syscalls:sys_exit_* by tid as *",
	"irq:irq_handler_entry irq:irq_handler_exit by cpu, irq as irq",
	"irq:softirq_entry irq:softirq_exit by cpu, vec as softirq",
	"block_rq_issue block_rq_complete by dev, sector as block_request",
	"block_rq_insert block_rq_issue by dev, sector as block_queue",
	"timer_expire_entry timer_expire_exit by cpu, timer as timer",
	"timer_hrtimer_expire_entry timer_hrtimer_expire_exit by cpu, hrtimer as hrtimer",
	"hrtimer_expire_entry hrtimer_expire_exit by cpu, hrtimer as hrtimer",
	"workqueue_execute_start workqueue_execute_end by work as work",
	"workqueue_queue_work workqueue_execute_start by work latest as work_queued",
	"kmem_kmalloc kmem_kfree by ptr show bytes_alloc latest as kmalloc",
	"kmalloc kfree by ptr show bytes_alloc latest as kmalloc",
	"kmem_cache_alloc kmem_cache_free by ptr latest as kmem_cache",
	"kmem_mm_page_alloc kmem_mm_page_free by page latest as page",
	"mm_page_alloc mm_page_free by page latest as page",
	"net_dev_queue net_dev_xmit by skbaddr as net_queue",
	"net_if_receive_skb skb_consume by skbaddr as net_receive",
	"netif_receive_skb consume_skb by skbaddr as net_receive",
	"kvm_x86_entry kvm_x86_exit by cpu as kvm",
	"x86_irq_vectors_local_timer_entry x86_irq_vectors_local_timer_exit by cpu as local_timer",
	"mm_vmscan_direct_reclaim_begin mm_vmscan_direct_reclaim_end by cpu as direct_reclaim",
	"lttng_statedump_start lttng_statedump_end as statedump",
	NULL
};
