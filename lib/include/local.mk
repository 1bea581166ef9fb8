tnavdir = $(includedir)/tnav
tnav_HEADERS = \
	%D%/tnav/answer.h %D%/tnav/columns.h %D%/tnav/compare.h %D%/tnav/cursor.h %D%/tnav/error.h %D%/tnav/event.h %D%/tnav/flame.h %D%/tnav/grow.h %D%/tnav/iterate.h %D%/tnav/plot.h %D%/tnav/query.h %D%/tnav/recorder.h \
	%D%/tnav/str.h %D%/tnav/symbol.h %D%/tnav/table.h %D%/tnav/text.h %D%/tnav/tnav.h %D%/tnav/trace.h %D%/tnav/value.h %D%/tnav/worker.h %D%/tnav/writer.h
