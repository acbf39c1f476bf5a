// The X.509 library of acme-client needs it to be loaded before.
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
  /** PEM of the certificate authority behind the directory's own TLS certificate, where it is a private one. */
  caPem?: string
  externalAccount?: { kid: string; hmacKey: string }
  accounts: AcmeAccountStore
  /** For one request, from the connection to the last byte. */
  requestTimeoutMs?: number
  /** For one decision of the authority: on a name, on an order. */
  decisionTimeoutMs?: number
}

/** An authority that speaks RFC 8555. It never waits for a limit to pass: that is for the caller, who has the time that it named. */
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
        // A test authority forgets at its restart; a real one after years, or a restored copy of our store is too old.
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
    // The caller's own steps end in their own way when the signal fires.
    throw signal.aborted && !(error instanceof AcmeError) ? aborted(error) : error
  }
}

function requireProvable({ hostnames, challengeType }: AcmeOrderRequest): void {
  const wildcard = hostnames.find((name) => name.startsWith('*.'))
  if (wildcard !== undefined && challengeType !== 'dns-01')
    throw new AcmeError('refused', `${wildcard} can be proved with dns-01 only.`)
}
