"""Language models that answer in a form: the facade `Model`, and transformers behind it."""
