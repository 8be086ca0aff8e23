//go:build !amd64

package recurrent

func affineRows(y, w, x []float32) { affineRowsGo(y, w, x) }
func sigmoidFours(v []float32)     { sigmoidsGo(v) }
func tanhFours(v []float32)        { tanhsGo(v) }
