#include "textflag.h"

// Bytes to compare with.
DATA countBytes<>+0(SB)/8, $0x00272d0930196120
GLOBL countBytes<>(SB), RODATA|NOPTR, $8

// func flagsVector(text *byte) (words, inner, top uint64)
TEXT ·flagsVector(SB), NOSPLIT, $0-32
	MOVQ         text+0(FP), SI
	VPBROADCASTB countBytes<>+0(SB), Y4  // bit of small letters
	VPBROADCASTB countBytes<>+1(SB), Y5  // a
	VPBROADCASTB countBytes<>+2(SB), Y6  // z - a
	VPBROADCASTB countBytes<>+3(SB), Y7  // 0
	VPBROADCASTB countBytes<>+4(SB), Y8  // 9 - 0
	VPBROADCASTB countBytes<>+5(SB), Y9  // hyphen
	VPBROADCASTB countBytes<>+6(SB), Y10 // apostrophe
	XORQ         DX, DX

half:
	VMOVDQU   (SI)(DX*1), Y0
	VPOR      Y4, Y0, Y1
	VPSUBB    Y5, Y1, Y1
	VPMINUB   Y6, Y1, Y2
	VPCMPEQB  Y2, Y1, Y1
	VPSUBB    Y7, Y0, Y2
	VPMINUB   Y8, Y2, Y3
	VPCMPEQB  Y3, Y2, Y2
	VPOR      Y2, Y1, Y1
	VPMOVMSKB Y1, AX
	VPCMPEQB  Y9, Y0, Y1
	VPCMPEQB  Y10, Y0, Y2
	VPOR      Y2, Y1, Y1
	VPMOVMSKB Y1, BX
	VPMOVMSKB Y0, CX
	LEAQ      words+8(FP), DI
	SHRQ      $3, DX              // 0 or 4
	MOVL      AX, 0(DI)(DX*1)
	MOVL      BX, 8(DI)(DX*1)
	MOVL      CX, 16(DI)(DX*1)
	ADDQ      $4, DX
	SHLQ      $3, DX              // 32 or 64
	CMPQ      DX, $64
	JNE       half
	VZEROUPPER
	RET
