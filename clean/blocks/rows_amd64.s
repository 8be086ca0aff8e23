#include "textflag.h"

// func addVector(z *sums, rows *uint64, slots *uint32, n, less int)
TEXT ·addVector(SB), NOSPLIT, $0-40
	MOVQ z+0(FP), DI
	MOVQ rows+8(FP), SI
	MOVQ slots+16(FP), DX
	MOVQ n+24(FP), CX
	VPXOR Y2, Y2, Y2

token: // its 16 weights, made of 13 of the row and 3 of the slot, are bytes
	MOVL      (DX), AX
	MOVL      AX, BX
	SHRL      $2, AX
	ANDL      $3, BX
	SHLQ      $5, AX
	ADDQ      SI, AX
	VMOVD     16(AX)(BX*4), X1
	VPSLLDQ   $13, X1, X1
	VPOR      (AX), X1, X1
	VPMOVZXBW X1, Y1
	VPADDW    Y1, Y2, Y2
	ADDQ      $4, DX
	DECQ      CX
	JNZ       token

	VPBROADCASTD less+32(FP), Y3
	VPMOVZXWD    X2, Y0
	VEXTRACTI128 $1, Y2, X2
	VPMOVZXWD    X2, Y1
	VPSUBD       Y3, Y0, Y0
	VPSUBD       Y3, Y1, Y1
	VPADDD       (DI), Y0, Y0
	VPADDD       32(DI), Y1, Y1
	VMOVDQU      Y0, (DI)
	VMOVDQU      Y1, 32(DI)
	VZEROUPPER
	RET

// func sumVector(z, x, y *sums)
TEXT ·sumVector(SB), NOSPLIT, $0-24
	MOVQ z+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ y+16(FP), DX
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	VPADDD  (DX), Y0, Y0
	VPADDD  32(DX), Y1, Y1
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	VZEROUPPER
	RET
