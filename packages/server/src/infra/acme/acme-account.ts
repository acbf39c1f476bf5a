import { generateKeyPairSync } from 'node:crypto'
import { Client } from 'acme-client'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import type { AcmeAccountStore } from './acme.ts'
import type { Ask } from './acme-connection.ts'
import { AcmeProblem } from './acme-problem.ts'

interface AcmeAccountOptions {
  directoryUrl: string
  email?: string
  externalAccount?: { kid: string; hmacKey: string }
  accounts: AcmeAccountStore
}

/** The client of our account, which is made where there is none; `unknownUrl` is one that the authority does not know any more. */
type OpenAccount = (ask: Ask, unknownUrl?: string) => Promise<Client>

/** An authority under load refuses nonces in rows; the package gives up after five. */
const maxBadNonces = 20

export function createAccountOpener(options: AcmeAccountOptions): OpenAccount {
  const { directoryUrl, email, externalAccount, accounts } = options
  const oneAtATime = createSemaphore(1)

  return async (ask, unknownUrl) => {
    const usable = async () => {
      const account = await accounts.load(directoryUrl)
      return account?.accountUrl === undefined || account.accountUrl === unknownUrl ? undefined : clientOf(account)
    }
    const known = await usable()
    if (known) return known
    // Orders that begin together would each make an account of their own. Per process: of two that begin together both do, and the key and
    // address that are saved last, always as a pair, are used from then on.
    return oneAtATime(async () => (await usable()) ?? register(ask))
  }

  async function register(ask: Ask): Promise<Client> {
    const kept = (await accounts.load(directoryUrl))?.keyPem
    const keyPem = kept ?? createKey()
    // The key first: cut off between the two, the account is found again by it.
    await accounts.save(directoryUrl, { keyPem })
    const client = (kept === undefined ? undefined : await find(ask, kept)) ?? (await create(ask, keyPem))
    await accounts.save(directoryUrl, { keyPem, accountUrl: client.getAccountUrl() })
    return client
  }

  /** By an own question: the package sends a change after a registration that meets an account, and not every authority takes it. */
  async function find(ask: Ask, keyPem: string): Promise<Client | undefined> {
    const client = clientOf({ keyPem })
    try {
      await ask(() => client.createAccount({ onlyReturnExisting: true }))
      return client
    } catch (error) {
      if (error instanceof AcmeProblem && error.type === 'accountDoesNotExist') return undefined
      throw error
    }
  }

  async function create(ask: Ask, keyPem: string): Promise<Client> {
    const client = clientOf({ keyPem })
    const contact = email === undefined ? {} : { contact: [`mailto:${email}`] }
    await ask(() => client.createAccount({ termsOfServiceAgreed: true, ...contact }))
    return client
  }

  function clientOf({ keyPem, accountUrl }: { keyPem: string; accountUrl?: string }): Client {
    const client = new Client({
      directoryUrl,
      accountKey: keyPem,
      ...(accountUrl === undefined ? {} : { accountUrl }),
      ...(externalAccount === undefined ? {} : { externalAccountBinding: { ...externalAccount } })
    })
    ;(client as unknown as { http: { maxBadNonceRetries: number } }).http.maxBadNonceRetries = maxBadNonces
    return client
  }
}

/** P-256, PKCS #8 PEM: of an account or of a certificate. */
export function createKey(): string {
  return generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' }
  }).privateKey
}
