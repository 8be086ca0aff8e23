#include "textflag.h"

// Bits by the low and by the high half of an ASCII character. Both halves of a vowel have one of the
// bits 3 in common, both halves of a digit or symbol one of the bits 0x7c.
DATA lowHalf<>+0(SB)/8, $0x080c0f0c0c080918
DATA lowHalf<>+8(SB)/8, $0x256868686c040b08
GLOBL lowHalf<>(SB), RODATA|NOPTR, $16
DATA highHalf<>+0(SB)/8, $0x4211221108040000
DATA highHalf<>+8(SB)/8, $0
GLOBL highHalf<>(SB), RODATA|NOPTR, $16

// Bytes to compare with.
DATA bytes<>+0(SB)/8, $0x0fe2c2c01961207c
DATA bytes<>+8(SB)/8, $0x03
GLOBL bytes<>(SB), RODATA|NOPTR, $16

// func marksVector(m *marks, text *byte)
TEXT ·marksVector(SB), NOSPLIT, $0-16
	MOVQ           m+0(FP), DI
	MOVQ           text+8(FP), SI
	MOVQ           $2, CX
	VBROADCASTI128 lowHalf<>(SB), Y4
	VBROADCASTI128 highHalf<>(SB), Y5
	VPBROADCASTB   bytes<>+0(SB), Y6  // digits and symbols
	VPBROADCASTB   bytes<>+1(SB), Y7  // space
	VPBROADCASTB   bytes<>+2(SB), Y8  // a
	VPBROADCASTB   bytes<>+3(SB), Y9  // z - a
	VPBROADCASTB   bytes<>+4(SB), Y10 // first bytes
	VPBROADCASTB   bytes<>+5(SB), Y11
	VPBROADCASTB   bytes<>+6(SB), Y12
	VPBROADCASTB   bytes<>+7(SB), Y13 // half a byte
	VPBROADCASTB   bytes<>+8(SB), Y14 // vowels
	VPXOR          Y15, Y15, Y15

half:
	VMOVDQU   (SI), Y0
	VPMINUB   Y7, Y0, Y1
	VPCMPEQB  Y1, Y0, Y1
	VPMOVMSKB Y1, AX
	MOVL      AX, 0(DI)
	VPOR      Y7, Y0, Y1
	VPSUBB    Y8, Y1, Y1
	VPMINUB   Y9, Y1, Y2
	VPCMPEQB  Y2, Y1, Y1
	VPMOVMSKB Y1, AX
	MOVL      AX, 8(DI)
	VPSLLW    $2, Y0, Y1
	VPMOVMSKB Y1, AX
	MOVL      AX, 16(DI)
	VPMOVMSKB Y0, AX
	MOVL      AX, 24(DI)
	VPMAXUB   Y10, Y0, Y1
	VPCMPEQB  Y1, Y0, Y1
	VPMOVMSKB Y1, AX
	MOVL      AX, 32(DI)
	VPCMPEQB  Y11, Y0, Y1
	VPCMPEQB  Y12, Y0, Y2
	VPOR      Y1, Y2, Y1
	VPMOVMSKB Y1, AX
	MOVL      AX, 40(DI)
	VPSHUFB   Y0, Y4, Y1
	VPSRLW    $4, Y0, Y2
	VPAND     Y13, Y2, Y2
	VPSHUFB   Y2, Y5, Y2
	VPAND     Y1, Y2, Y1
	VPAND     Y14, Y1, Y2
	VPCMPEQB  Y15, Y2, Y2
	VPMOVMSKB Y2, AX
	NOTL      AX
	MOVL      AX, 48(DI)
	VPAND     Y6, Y1, Y2
	VPCMPEQB  Y15, Y2, Y2
	VPMOVMSKB Y2, AX
	NOTL      AX
	MOVL      AX, 56(DI)
	ADDQ      $32, SI
	ADDQ      $4, DI
	DECQ      CX
	JNZ       half
	VZEROUPPER
	RET

// func repeatsVector(text *byte, n int) int
TEXT ·repeatsVector(SB), NOSPLIT, $0-24
	MOVQ         text+0(FP), SI
	MOVQ         n+8(FP), CX
	VPBROADCASTB bytes<>+1(SB), Y7
	VPBROADCASTB bytes<>+2(SB), Y8
	VPBROADCASTB bytes<>+3(SB), Y9
	VPBROADCASTB bytes<>+4(SB), Y10
	XORQ         DX, DX

next:
	VMOVDQU   (SI), Y0
	VMOVDQU   -1(SI), Y1
	VMOVDQU   -2(SI), Y2
	VPCMPEQB  Y0, Y2, Y3   // equal to the byte two before
	VPCMPEQB  Y0, Y1, Y4
	VPAND     Y3, Y4, Y4
	VPOR      Y7, Y0, Y5
	VPSUBB    Y8, Y5, Y5
	VPMINUB   Y9, Y5, Y6
	VPCMPEQB  Y6, Y5, Y5   // ASCII letters
	VPAND     Y4, Y5, Y4
	VPMOVMSKB Y4, AX
	POPCNTL   AX, AX
	ADDQ      AX, DX
	VMOVDQU   -3(SI), Y4
	VPCMPEQB  Y1, Y4, Y1
	VPAND     Y1, Y3, Y3
	VPCMPEQB  -4(SI), Y2, Y2
	VPAND     Y2, Y3, Y3
	VPCMPEQB  -5(SI), Y4, Y4
	VPAND     Y4, Y3, Y3
	VPMAXUB   Y10, Y0, Y1
	VPCMPEQB  Y1, Y0, Y1
	VPANDN    Y3, Y1, Y3   // not a first byte
	VPAND     Y0, Y3, Y3   // not ASCII
	VPMOVMSKB Y3, AX
	POPCNTL   AX, AX
	ADDQ      AX, DX
	ADDQ      $32, SI
	SUBQ      $32, CX
	JNZ       next
	MOVQ      DX, ret+16(FP)
	VZEROUPPER
	RET
