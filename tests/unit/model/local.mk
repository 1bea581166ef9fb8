tests_unit_unit_SOURCES +=
