#include "textflag.h"

// A word of a mask, in K1, and its weights: all bytes are added to a as words of two classes, and the
// upper bytes also to b.
#define EXPAND(i, a, b) \
	MOVQ      (8*i)(DX), R10 \
	KMOVQ     R10, K1        \
	VMOVDQA64 Z12, Z13       \
	VPEXPANDB (BX), K1, Z13  \
	POPCNTQ   R10, R10       \
	ADDQ      R10, BX        \
	VPADDW    Z13, a, a      \
	VPSRLW    $8, Z13, Z14   \
	VPADDW    Z14, b, b

// The sums of 16 classes, words in y, without bias, are added to scores.
#define SCORES16(at, y) \
	VPMOVZXWD y, Z18           \
	VPSUBD    Z15, Z18, Z18    \
	VPADDD    (at)(DI), Z18, Z18 \
	VMOVDQU32 Z18, (at)(DI)

// The sums of 32 classes: y has the words of even classes, w of odd ones.
#define SCORES32(at, y, w) \
	VPMOVZXWD     y, Z16            \
	VPMOVZXWD     w, Z17            \
	VPSLLD        $16, Z17, Z17     \
	VPORD         Z17, Z16, Z16     \
	SCORES16(at, Y16)               \
	VEXTRACTI64X4 $1, Z16, Y16      \
	SCORES16(at+64, Y16)

// The sums of 64 classes, as added up by EXPAND in a and b. yb is the lower half of b.
#define SCORES64(at, a, b, yb) \
	VPSLLW        $8, b, Z13     \
	VPSUBW        Z13, a, Z13    \
	SCORES32(at, Y13, yb)        \
	VEXTRACTI64X4 $1, Z13, Y13   \
	VEXTRACTI64X4 $1, b, Y14     \
	SCORES32(at+128, Y13, Y14)

// func addExpanded(scores *int32, pairs *uint64, rows *uint32, n int)
TEXT ·addExpanded(SB), NOSPLIT, $0-32
	MOVQ         scores+0(FP), DI
	MOVQ         pairs+8(FP), SI
	MOVQ         rows+16(FP), R8
	MOVQ         n+24(FP), CX
	MOVL         $0x40404040, AX // denseBias
	VPBROADCASTD AX, Z12
	MOVQ         CX, AX
	SHLQ         $6, AX
	VPBROADCASTD AX, Z15         // denseBias by row
	VPXORD       Z0, Z0, Z0
	VPXORD       Z1, Z1, Z1
	VPXORD       Z2, Z2, Z2
	VPXORD       Z3, Z3, Z3
	VPXORD       Z4, Z4, Z4
	VPXORD       Z5, Z5, Z5
	VPXORD       Z6, Z6, Z6
	VPXORD       Z7, Z7, Z7
	VPXORD       Z8, Z8, Z8
	VPXORD       Z9, Z9, Z9
	VPXORD       Z10, Z10, Z10
	VPXORD       Z11, Z11, Z11

row:
	MOVL (R8), AX
	ADDQ $4, R8
	SHRL $8, AX
	LEAQ (SI)(AX*8), DX
	LEAQ 48(DX), BX
	EXPAND(0, Z0, Z1)
	EXPAND(1, Z2, Z3)
	EXPAND(2, Z4, Z5)
	EXPAND(3, Z6, Z7)
	EXPAND(4, Z8, Z9)
	EXPAND(5, Z10, Z11)
	DECQ CX
	JNZ  row

	SCORES64(0, Z0, Z1, Y1)
	SCORES64(256, Z2, Z3, Y3)
	SCORES64(512, Z4, Z5, Y5)
	SCORES64(768, Z6, Z7, Y7)
	SCORES64(1024, Z8, Z9, Y9)
	SCORES64(1280, Z10, Z11, Y11)
	VZEROUPPER
	RET
