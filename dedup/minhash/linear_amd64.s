#include "textflag.h"

// func leastEights(sig, a, b *uint64, groups int, x *uint64, n int)
//
// The lower half of value(a, b, x) is that of v + v>>61 with v = a*x + b, and with x of
// 32 bits a*x is two products of 32 bits. Y0 and Y1 hold eight least values in the lower
// halves of their lanes; what is in the upper ones does not matter.
TEXT ·leastEights(SB), NOSPLIT, $0-48
	MOVQ sig+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), BX
	MOVQ groups+24(FP), CX
	MOVQ x+32(FP), DX
	MOVQ n+40(FP), R8

group:
	TESTQ    CX, CX
	JZ       done
	VPCMPEQD Y0, Y0, Y0
	VPCMPEQD Y1, Y1, Y1
	VMOVDQU  (SI), Y2
	VMOVDQU  32(SI), Y3
	VPSRLQ   $32, Y2, Y4
	VPSRLQ   $32, Y3, Y5
	VMOVDQU  (BX), Y6
	VMOVDQU  32(BX), Y7
	XORQ     AX, AX

shingle:
	CMPQ         AX, R8
	JGE          store
	VPBROADCASTQ (DX)(AX*8), Y8
	VPMULUDQ     Y8, Y4, Y9
	VPMULUDQ     Y8, Y5, Y10
	VPMULUDQ     Y8, Y2, Y11
	VPMULUDQ     Y8, Y3, Y12
	VPSLLQ       $32, Y9, Y9
	VPSLLQ       $32, Y10, Y10
	VPADDQ       Y6, Y11, Y11
	VPADDQ       Y7, Y12, Y12
	VPADDQ       Y9, Y11, Y11
	VPADDQ       Y10, Y12, Y12
	VPSRLQ       $61, Y11, Y9
	VPSRLQ       $61, Y12, Y10
	VPADDQ       Y9, Y11, Y11
	VPADDQ       Y10, Y12, Y12
	VPMINUD      Y11, Y0, Y0
	VPMINUD      Y12, Y1, Y1
	INCQ         AX
	JMP          shingle

store:
	VPSLLQ  $32, Y0, Y0
	VPSLLQ  $32, Y1, Y1
	VPSRLQ  $32, Y0, Y0
	VPSRLQ  $32, Y1, Y1
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	ADDQ    $64, DI
	ADDQ    $64, SI
	ADDQ    $64, BX
	DECQ    CX
	JMP     group

done:
	VZEROUPPER
	RET

// func leastWide(sig, a, b *uint64, groups int, x *uint64, n int)
//
// Z0 holds eight least values of v&mersenne + v>>61 with v = a*x + b.
TEXT ·leastWide(SB), NOSPLIT, $0-48
	MOVQ       sig+0(FP), DI
	MOVQ       a+8(FP), SI
	MOVQ       b+16(FP), BX
	MOVQ       groups+24(FP), CX
	MOVQ       x+32(FP), DX
	MOVQ       n+40(FP), R8
	VPTERNLOGQ $0xff, Z7, Z7, Z7
	VPSRLQ     $3, Z7, Z6

wideGroup:
	VMOVDQU64 (SI), Z1
	VMOVDQU64 (BX), Z2
	VMOVDQA64 Z7, Z0
	XORQ      AX, AX

wideShingle:
	VPMULLQ.BCST (DX)(AX*8), Z1, Z3
	VPADDQ       Z2, Z3, Z3
	VPSRLQ       $61, Z3, Z4
	VPANDQ       Z6, Z3, Z3
	VPADDQ       Z4, Z3, Z3
	VPMINUQ      Z3, Z0, Z0
	INCQ         AX
	CMPQ         AX, R8
	JLT          wideShingle

	VMOVDQU64 Z0, (DI)
	ADDQ      $64, DI
	ADDQ      $64, SI
	ADDQ      $64, BX
	DECQ      CX
	JNZ       wideGroup
	VZEROUPPER
	RET
