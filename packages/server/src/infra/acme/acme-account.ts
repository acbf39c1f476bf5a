import { generateKeyPairSync } from 'node:crypto'
import { Client } from 'acme-client'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import type { AcmeAccountStore } from './acme.ts'
import type { AcmeCall } from './acme-connection.ts'
import { AcmeProblem } from './acme-problem.ts'

interface AcmeAccountOptions {
  directoryUrl: string
  email?: string
  externalAccount?: { kid: string; hmacKey: string }
  accounts: AcmeAccountStore
}

/** `unknownUrl` is an account URL that the CA no longer knows. */
type OpenAccount = (ask: AcmeCall, unknownUrl?: string) => Promise<Client>

/** Boulder under load rejects several nonces in a row; acme-client gives up after five. */
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
    // One registration at a time, so that parallel orders share an account. Across processes the pair saved last wins.
    return oneAtATime(async () => (await usable()) ?? register(ask))
  }

  async function register(ask: AcmeCall): Promise<Client> {
    const kept = (await accounts.load(directoryUrl))?.keyPem
    const keyPem = kept ?? createKey()
    // Save the key first: after a crash between the two saves, the account can be found by its key.
    await accounts.save(directoryUrl, { keyPem })
    const client = (kept === undefined ? undefined : await find(ask, kept)) ?? (await create(ask, keyPem))
    await accounts.save(directoryUrl, { keyPem, accountUrl: client.getAccountUrl() })
    return client
  }

  /** acme-client updates an existing account after registering, which some CAs reject; hence onlyReturnExisting. */
  async function find(ask: AcmeCall, keyPem: string): Promise<Client | undefined> {
    const client = clientOf({ keyPem })
    try {
      await ask(() => client.createAccount({ onlyReturnExisting: true }))
      return client
    } catch (error) {
      if (error instanceof AcmeProblem && error.type === 'accountDoesNotExist') return undefined
      throw error
    }
  }

  async function create(ask: AcmeCall, keyPem: string): Promise<Client> {
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

export function createKey(): string {
  return generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' }
  }).privateKey
}
