// acme-client's X.509 library needs reflect-metadata to be loaded first.
import 'reflect-metadata'
import { axios } from 'acme-client'
import { createAccountOpener } from './acme-account.ts'
import { aborted, createAcmeConnection } from './acme-connection.ts'
import { finishOrder, openOrder, type OrderContext } from './acme-order.ts'
import { proveNames } from './acme-authorization.ts'
import { AcmeProblem } from './acme-problem.ts'
import {
  type AcmeAccountStore,
  type AcmeAuthority,
  AcmeError,
  type AcmeOrderRequest,
  type IssuedCertificate
} from './acme.ts'

export interface AcmeClientOptions {
  directoryUrl: string
  email?: string
  /** PEM of the CA that signed the directory's own TLS certificate; for a private ACME server. */
  caPem?: string
  externalAccount?: { kid: string; hmacKey: string }
  accounts: AcmeAccountStore
  requestTimeoutMs?: number
  decisionTimeoutMs?: number
}

/** ACME client (RFC 8555). Never waits for a rate limit to pass; the caller gets `retryAfterSeconds`. */
export function createAcmeAuthority(options: AcmeClientOptions): AcmeAuthority {
  const { directoryUrl, caPem, requestTimeoutMs = 30_000, decisionTimeoutMs = 120_000 } = options
  const connect = createAcmeConnection({ caPem, timeoutMs: requestTimeoutMs })
  const openAccount = createAccountOpener(options)

  return {
    directoryUrl,

    async caaIdentities() {
      const { data } = await connect()(() => axios.get<{ meta?: { caaIdentities?: unknown } } | string>(directoryUrl))
      const names = typeof data === 'object' ? data?.meta?.caaIdentities : undefined
      return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
    },

    async order(request) {
      requireProvable(request)
      const ask = connect(request.signal)
      const client = await openAccount(ask)
      try {
        return await issue({ client, ask, request, decisionTimeoutMs })
      } catch (error) {
        if (!(error instanceof AcmeProblem) || error.type !== 'accountDoesNotExist') throw error
        // A test CA loses its accounts on restart; a restored database may hold an outdated account.
        const renewed = await openAccount(ask, client.getAccountUrl())
        return await issue({ client: renewed, ask, request, decisionTimeoutMs })
      }
    }
  }
}

async function issue(context: OrderContext): Promise<IssuedCertificate> {
  const { signal } = context.request
  try {
    const open = await openOrder(context)
    await proveNames(context, open.order)
    return await finishOrder(context, open)
  } catch (error) {
    // The caller's own callbacks reject in their own way when the signal fires.
    throw signal.aborted && !(error instanceof AcmeError) ? aborted(error) : error
  }
}

function requireProvable({ hostnames, challengeType }: AcmeOrderRequest): void {
  const wildcard = hostnames.find((name) => name.startsWith('*.'))
  if (wildcard !== undefined && challengeType !== 'dns-01')
    throw new AcmeError('refused', `${wildcard} can only be validated with dns-01.`)
}
