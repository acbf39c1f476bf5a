import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { secretsOfConfig } from '../../config/secret-values.ts'
import { listStoredSecrets } from '../../db/stored-secrets.ts'
import { readIfExists } from '../../infra/disk/read-if-exists.ts'
import { mailPaths } from '../../infra/mail-server/mail-paths.ts'
import { mailDirectories } from '../../process/paths.ts'
import { proxyLoginKey, proxySecret } from '../../security/proxy-proof.ts'
import type { Store } from '../../wiring/store.ts'

/** Secrets of the configuration, and those that are only in files. */
export async function listLocalSecrets(config: Config): Promise<string[]> {
  const { dovecot, srs } = mailPaths(await mailDirectories(config))
  const files = [
    join(config.DATA_DIR, 'postgres', 'password'),
    join(config.DATA_DIR, 'postgres', 'web-password'),
    dovecot.policyKey,
    srs.secrets
  ]
  const texts = await Promise.all(files.map((path) => readIfExists(path)))
  const lines = texts.flatMap((text) => (text ?? '').split('\n').map((line) => line.trim()))
  return [
    ...secretsOfConfig(config),
    proxySecret(config),
    proxyLoginKey(config),
    ...lines.filter((line) => line !== '')
  ]
}

/** What is sealed in the store, opened. JSON counts with each of its texts. */
export async function listStoreSecrets({ db, secretBox }: Pick<Store, 'db' | 'secretBox'>): Promise<string[]> {
  const { sealed, hashes } = await listStoredSecrets(db)
  return [...hashes, ...sealed, ...sealed.flatMap((value) => textsIn(secretBox.open(value)))]
}

/** A key also counts without its frame, and by line, as a configuration may quote it. */
function textsIn(plain: string): string[] {
  const lines = plain.includes('\n') ? plain.split('\n').filter((line) => !line.startsWith('-----')) : []
  return [plain, ...credentialsIn(plain), ...lines, ...leavesOf(plain)]
}

function leavesOf(plain: string): string[] {
  if (!/^[{[]/.test(plain)) return []
  try {
    return leaves(JSON.parse(plain))
  } catch {
    return [] // Not JSON after all.
  }
}

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...credentialsIn(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : []
}

const shortestToken = 12

/** Parts of a URL that are credentials: of most webhooks they are in the path or the query. */
function credentialsIn(text: string): string[] {
  if (!URL.canParse(text)) return []
  const { password, pathname, searchParams } = new URL(text)
  const tokens = [...pathname.split('/'), ...searchParams.values()].filter((part) => part.length >= shortestToken)
  return [...(password === '' ? [] : [password, decodeURIComponent(password)]), ...tokens]
}
