import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { findSetting, saveSetting } from '../db/settings.ts'
import type { AcmeAuthority } from '../infra/acme/acme.ts'
import type { AcmeClientOptions } from '../infra/acme/acme-client.ts'
import type { SecretBox } from '../infra/secret-box/secret-box.ts'
import { readAuthorities } from './authorities.ts'

const letsEncrypt = 'https://acme-v02.api.letsencrypt.org/directory'

const authorityUrl = (config: Pick<Config, 'ACME_DIRECTORY_URL'>): string => config.ACME_DIRECTORY_URL ?? letsEncrypt

export async function openAuthority(config: Config, db: Database, secretBox: SecretBox): Promise<AcmeAuthority> {
  const settingOf = (directoryUrl: string) => `acme_account ${directoryUrl}`
  const ca =
    config.ACME_CA_FILE === undefined ? {} : { caPem: await readAuthorities('ACME_CA_FILE', config.ACME_CA_FILE) }
  return followingAuthority(() => ({
    directoryUrl: authorityUrl(config),
    ...ca,
    ...(config.ACME_EMAIL === undefined ? {} : { email: config.ACME_EMAIL }),
    ...(config.ACME_EAB_KID !== undefined && config.ACME_EAB_HMAC_KEY !== undefined
      ? { externalAccount: { kid: config.ACME_EAB_KID, hmacKey: config.ACME_EAB_HMAC_KEY } }
      : {}),
    accounts: {
      async load(directoryUrl) {
        const sealed = await findSetting(db, settingOf(directoryUrl))
        if (sealed === undefined) return undefined
        return JSON.parse(secretBox.open(sealed)) as { keyPem: string; accountUrl?: string }
      },
      async save(directoryUrl, account) {
        await saveSetting(db, settingOf(directoryUrl), secretBox.seal(JSON.stringify(account)))
      }
    }
  }))
}

/** Imported on first use: acme-client takes 200 ms to load and 30 MB of memory. */
function lazyAuthority(options: AcmeClientOptions): AcmeAuthority {
  const get = lazy(async () => (await import('../infra/acme/acme-client.ts')).createAcmeAuthority(options))
  return {
    get directoryUrl() {
      return options().directoryUrl
    },
    caaIdentities: async () => (await get()).caaIdentities(),
    order: async (request) => (await get()).order(request)
  }
}
