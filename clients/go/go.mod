module pgq

go 1.23
