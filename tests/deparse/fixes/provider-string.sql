SECURITY LABEL FOR 'a very long name of a provider, longer than any identifier may ever be' ON TABLE t IS 'x'
DO LANGUAGE 'a very long name of a language, longer than any identifier may ever be' 'x'
