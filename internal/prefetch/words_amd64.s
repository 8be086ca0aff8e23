#include "textflag.h"

// func Words(table []uint64, at []uint32, shift uint)
TEXT ·Words(SB), NOSPLIT, $0-56
	MOVQ table_base+0(FP), DI
	MOVQ at_base+24(FP), SI
	MOVQ at_len+32(FP), DX
	MOVQ shift+48(FP), CX
	LEAQ (SI)(DX*4), DX
	JMP  check

next:
	MOVL (SI), AX
	SHRL CX, AX
	PREFETCHT0 (DI)(AX*8)
	ADDQ $4, SI

check:
	CMPQ SI, DX
	JB   next
	RET

// func Lines(table []uint64, at []uint32, shift uint)
TEXT ·Lines(SB), NOSPLIT, $0-56
	MOVQ table_base+0(FP), DI
	MOVQ at_base+24(FP), SI
	MOVQ at_len+32(FP), DX
	MOVQ shift+48(FP), CX
	LEAQ (SI)(DX*4), DX
	JMP  check

next:
	MOVL (SI), AX
	SHRL CX, AX
	PREFETCHT0 (DI)(AX*8)
	PREFETCHT0 64(DI)(AX*8)
	ADDQ $4, SI

check:
	CMPQ SI, DX
	JB   next
	RET
