SELECT xmlroot(a, VERSION b || 'x')
