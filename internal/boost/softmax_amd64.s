#include "textflag.h"

#define GREATER_OR_EQUAL $0x1D

// TERM is y*r + term, rounded after each step, as in exp.
#define TERM(y, r, term) \
	VMULPS r, y, y; \
	VADDPS (32*term)(DX), y, y

// EXP makes x to e^x; see exp. y, r and n are changed.
#define EXP(x, y, r, n) \
	VMULPS     0(DX), x, y; \
	VSUBPS     32(DX), y, y; \
	VCVTTPS2DQ y, n; \
	VCVTDQ2PS  n, y; \
	VMULPS     64(DX), y, r; \
	VSUBPS     r, x, r; \
	VMULPS     96(DX), y, y; \
	VSUBPS     y, r, r; \
	VMULPS     128(DX), r, y; \
	VADDPS     160(DX), y, y; \
	TERM(y, r, 6); \
	TERM(y, r, 7); \
	TERM(y, r, 1); \
	TERM(y, r, 8); \
	TERM(y, r, 8); \
	VPADDD     288(DX), n, n; \
	VPSLLD     $23, n, n; \
	VMULPS     n, y, y; \
	VCMPPS     GREATER_OR_EQUAL, 320(DX), x, n; \
	VANDPS     n, y, x

// func softmaxVector(p *float32, masks *[MaxClasses]int32, constants *[12][8]float32, rows, classes int)
TEXT ·softmaxVector(SB), NOSPLIT, $64-40
	MOVQ p+0(FP), DI
	MOVQ masks+8(FP), SI
	MOVQ constants+16(FP), DX
	MOVQ rows+24(FP), BX
	MOVQ classes+32(FP), CX
	VMOVDQU (SI), Y10
	VMOVDQU 32(SI), Y11
	VMASKMOVPS (DI), Y10, Y0
	VMASKMOVPS 32(DI), Y11, Y1

row:
	VBROADCASTSS X0, Y2
	VBLENDVPS Y10, Y0, Y2, Y0 // where there is no class, the first one's score
	VBLENDVPS Y11, Y1, Y2, Y1
	DECQ BX
	JZ   last

	// The next row is read before this row is stored, whose address range overlaps it.
	VMASKMOVPS (DI)(CX*4), Y10, Y12
	VMASKMOVPS 32(DI)(CX*4), Y11, Y13

last:
	VMAXPS Y1, Y0, Y2
	VEXTRACTF128 $1, Y2, X3
	VMAXPS X3, X2, X2
	VPERMILPS $0x4E, X2, X3
	VMAXPS X3, X2, X2
	VPERMILPS $0xB1, X2, X3
	VMAXPS X3, X2, X2
	VBROADCASTSS X2, Y2
	VSUBPS Y2, Y0, Y0
	VSUBPS Y2, Y1, Y1
	EXP(Y0, Y4, Y5, Y6)
	EXP(Y1, Y7, Y8, Y9)
	VADDPS 352(DX), Y0, Y0
	VADDPS 352(DX), Y1, Y1
	VMOVUPS Y0, 0(SP)
	VMOVUPS Y1, 32(SP)

	// The sum in the order of the classes.
	VXORPS X2, X2, X2
	XORQ   AX, AX

class:
	VADDSS 0(SP)(AX*4), X2, X2
	INCQ   AX
	CMPQ   AX, CX
	JLT    class
	VBROADCASTSS X2, Y2
	VDIVPS Y2, Y0, Y0
	VDIVPS Y2, Y1, Y1
	VMASKMOVPS Y0, Y10, (DI)
	VMASKMOVPS Y1, Y11, 32(DI)
	LEAQ (DI)(CX*4), DI
	VMOVAPS Y12, Y0
	VMOVAPS Y13, Y1
	TESTQ BX, BX
	JNZ  row
	VZEROUPPER
	RET
