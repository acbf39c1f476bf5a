import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { findSetting, saveSetting } from '../db/settings.ts'
import type { AcmeAuthority } from '../infra/acme/acme.ts'
import type { AcmeClientOptions } from '../infra/acme/acme-client.ts'
import type { SecretBox } from '../infra/secret-box/secret-box.ts'
import { readAuthorities } from './authorities.ts'

const letsEncrypt = 'https://acme-v02.api.letsencrypt.org/directory'

const authorityUrl = (config: Pick<Config, 'ACME_DIRECTORY_URL'>): string => config.ACME_DIRECTORY_URL ?? letsEncrypt

/** Stores the ACME account of each directory as a sealed setting. */
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

/** The authority of the settings as they are then. Its code takes 30 MB, so it is loaded with the first question to it. */
function followingAuthority(options: () => AcmeClientOptions): AcmeAuthority {
  let current: { key: string; authority: AcmeAuthority } | undefined
  const get = async () => {
    const wanted = options()
    const { directoryUrl, email, externalAccount } = wanted
    const key = JSON.stringify([directoryUrl, email, externalAccount])
    if (current?.key !== key) {
      const { createAcmeAuthority } = await import('../infra/acme/acme-client.ts')
      current = { key, authority: createAcmeAuthority(wanted) }
    }
    return current.authority
  }
  return {
    get directoryUrl() {
      return options().directoryUrl
    },
    caaIdentities: async () => (await get()).caaIdentities(),
    order: async (request) => (await get()).order(request)
  }
}
