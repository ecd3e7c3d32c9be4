"""Whether a request body is one that its provider takes: by schema, and by what no schema can say.

The facts are from the providers' public documentation and from the errors that their endpoints
answer.
"""
