#include "textflag.h"

// func Words(table []uint64, at []uint32, shift uint)
TEXT ·Words(SB), NOSPLIT, $0-56
	MOVD table_base+0(FP), R0
	MOVD at_base+24(FP), R1
	MOVD at_len+32(FP), R2
	MOVD shift+48(FP), R3
	ADD  R2<<2, R1, R2
	B    check

next:
	MOVWU.P 4(R1), R4
	LSR  R3, R4
	ADD  R4<<3, R0, R5
	PRFM (R5), PLDL1KEEP

check:
	CMP  R2, R1
	BLO  next
	RET

// func Lines(table []uint64, at []uint32, shift uint)
TEXT ·Lines(SB), NOSPLIT, $0-56
	MOVD table_base+0(FP), R0
	MOVD at_base+24(FP), R1
	MOVD at_len+32(FP), R2
	MOVD shift+48(FP), R3
	ADD  R2<<2, R1, R2
	B    check

next:
	MOVWU.P 4(R1), R4
	LSR  R3, R4
	ADD  R4<<3, R0, R5
	PRFM (R5), PLDL1KEEP
	PRFM 64(R5), PLDL1KEEP

check:
	CMP  R2, R1
	BLO  next
	RET
