import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Git } from '../infra/git/git.ts'
import { createGit } from '../infra/git/git-cli.ts'
import { writeKnownHosts } from '../infra/git/host-keys.ts'

export async function openGit(config: Config): Promise<Git> {
  const knownHostsPath = join(config.DATA_DIR, 'known_hosts')
  await writeKnownHosts(knownHostsPath, config.GIT_KNOWN_HOSTS)
  return createGit({
    knownHostsPath,
    get maxRepositoryBytes() {
      return config.GIT_MAX_SIZE
    },
    get maxArchiveBytes() {
      return config.BUILD_CONTEXT_MAX
    },
    get timeoutMs() {
      return config.GIT_TIMEOUT * 1000
    }
  })
}
