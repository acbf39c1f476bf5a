export class DnsFailure extends Error {
  readonly code: string

  constructor(code: string, options?: ErrorOptions) {
    super(code, options)
    this.name = 'DnsFailure'
    this.code = code
  }
}

const codes: Readonly<Record<string, string>> = {
  ENOTFOUND: 'NXDOMAIN',
  ENODATA: 'NODATA',
  ESERVFAIL: 'SERVFAIL',
  EREFUSED: 'REFUSED',
  EFORMERR: 'FORMERR',
  ENOTIMP: 'NOTIMP',
  EBADRESP: 'BAD_RESPONSE',
  EBADNAME: 'BAD_NAME',
  ETIMEOUT: 'TIMEOUT',
  ETIMEDOUT: 'TIMEOUT',
  ECANCELLED: 'TIMEOUT',
  ECONNREFUSED: 'UNREACHABLE',
  ECONNRESET: 'UNREACHABLE',
  EPIPE: 'UNREACHABLE',
  EHOSTUNREACH: 'UNREACHABLE',
  ENETUNREACH: 'UNREACHABLE',
  EADDRNOTAVAIL: 'UNREACHABLE',
  EAFNOSUPPORT: 'UNREACHABLE',
  EACCES: 'UNREACHABLE',
  EPERM: 'UNREACHABLE'
}

export function failureCode(error: unknown): string {
  if (error instanceof DnsFailure) return error.code
  return codes[(error as NodeJS.ErrnoException | undefined)?.code ?? ''] ?? 'FAILED'
}
