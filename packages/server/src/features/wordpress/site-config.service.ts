import { AdapterError } from '../../infra/adapter-error.ts'
import type { FileTree } from '../../infra/file-store/file-store.ts'
import { readWpConfig, type WpConfig } from './wp-config.policy.ts'

const maxBytes = 256 * 1024

export async function readSiteConfig(
  tree: Pick<FileTree, 'open'>,
  env: Readonly<Record<string, string>>
): Promise<WpConfig> {
  return readWpConfig(await readConfigText(tree), env)
}

/** Empty if there is none. */
export async function readConfigText(tree: Pick<FileTree, 'open'>): Promise<string> {
  const file = await tree.open('wp-config.php').catch((error: unknown) => {
    if (error instanceof AdapterError && ['file-not-found', 'not-a-file', 'path-forbidden'].includes(error.kind))
      return undefined
    throw error
  })
  if (!file) return ''
  const chunks: Buffer[] = []
  for await (const chunk of file.stream({ start: 0, end: maxBytes - 1 })) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
