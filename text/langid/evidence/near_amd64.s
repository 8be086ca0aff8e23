#include "textflag.h"

// func maxVector(scores *int32, n int) int32
TEXT ·maxVector(SB), NOSPLIT, $0-20
	MOVQ    scores+0(FP), SI
	MOVQ    n+8(FP), CX
	VMOVDQU (SI), Y0

more:
	SUBQ    $8, CX
	JZ      reduce
	ADDQ    $32, SI
	VPMAXSD (SI), Y0, Y0
	JMP     more

reduce:
	VEXTRACTI128 $1, Y0, X1
	VPMAXSD      X1, X0, X0
	VPSHUFD      $0x4E, X0, X1
	VPMAXSD      X1, X0, X0
	VPSHUFD      $0xB1, X0, X1
	VPMAXSD      X1, X0, X0
	VMOVD        X0, AX
	MOVL         AX, ret+16(FP)
	VZEROUPPER
	RET

// func nearVector(set *uint64, scores *int32, n, least int)
TEXT ·nearVector(SB), NOSPLIT, $0-32
	MOVQ         set+0(FP), DI
	MOVQ         scores+8(FP), SI
	MOVQ         n+16(FP), CX
	VPBROADCASTD least+24(FP), Y1

next:
	VPCMPGTD  (SI), Y1, Y0
	VMOVMSKPS Y0, AX
	NOTL      AX
	MOVB      AX, (DI)
	INCQ      DI
	ADDQ      $32, SI
	SUBQ      $8, CX
	JNZ       next
	VZEROUPPER
	RET
