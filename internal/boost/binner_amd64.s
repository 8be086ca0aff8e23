#include "textflag.h"

#define GREATER_OR_EQUAL $0x1D // no for NaN

// PIVOT counts a pivot that is not above the values.
#define PIVOT(pivot) \
	VCMPPS GREATER_OR_EQUAL, pivot, Y0, Y2; \
	VPSUBD Y2, Y1, Y1

// CUT counts the cut of that number in the groups of the values.
#define CUT(number) \
	VPERMPS (32+32*number)(DX), Y1, Y2; \
	VCMPPS  GREATER_OR_EQUAL, Y2, Y0, Y2; \
	VPSUBD  Y2, Y3, Y3

// func binVector(dst *uint8, values *float32, cuts *cutTable, n int)
TEXT ·binVector(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ values+8(FP), SI
	MOVQ cuts+16(FP), DX
	MOVQ n+24(FP), CX
	VBROADCASTSS 0(DX), Y8
	VBROADCASTSS 4(DX), Y9
	VBROADCASTSS 8(DX), Y10
	VBROADCASTSS 12(DX), Y11
	VBROADCASTSS 16(DX), Y12
	VBROADCASTSS 20(DX), Y13
	VBROADCASTSS 24(DX), Y14

values:
	SUBQ $8, CX
	JLT  done
	VMOVUPS (SI), Y0
	VPXOR   Y1, Y1, Y1
	PIVOT(Y8)
	PIVOT(Y9)
	PIVOT(Y10)
	PIVOT(Y11)
	PIVOT(Y12)
	PIVOT(Y13)
	PIVOT(Y14)
	VPSLLD $3, Y1, Y3
	CUT(0)
	CUT(1)
	CUT(2)
	CUT(3)
	CUT(4)
	CUT(5)
	CUT(6)
	CUT(7)
	VEXTRACTI128 $1, Y3, X4
	VPACKUSDW    X4, X3, X3
	VPACKUSWB    X3, X3, X3
	VMOVQ        X3, (DI)
	ADDQ $32, SI
	ADDQ $8, DI
	JMP  values

done:
	VZEROUPPER
	RET
