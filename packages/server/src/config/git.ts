import { resolve } from 'node:path'
import { z } from 'zod'
import { parseExtraHosts, parseGitMirrors } from '../features/projects/git-url.policy.ts'
import { bytes, parsedBy, whole } from './values.ts'

/** Git servers, mirrors and deploy keys. */
export const gitVariables = {
  SSH_KEYS_DIR: z.string().optional(),
  GIT_MIRRORS: z.string().default('').pipe(parsedBy(parseGitMirrors)),
  GIT_EXTRA_HOSTS: z.string().default('').pipe(parsedBy(parseExtraHosts)),
  GIT_KNOWN_HOSTS: z.string().optional(),
  GIT_TIMEOUT: whole(5, 3600).default(300),
  GIT_MAX_SIZE: z.string().default('1g').pipe(bytes)
}

export const gitDefaults = (values: { DATA_DIR: string; SSH_KEYS_DIR?: string | undefined }) => ({
  SSH_KEYS_DIR: resolve(values.DATA_DIR, values.SSH_KEYS_DIR ?? 'workspaces/keys')
})

/** Host of the bundled sample repository, which `up` serves on loopback through a mirror. */
export const sampleHost = 'sample.panel.invalid'

/** Its URL; null if this panel does not serve it. */
export const sampleRepository = ({ GIT_MIRRORS }: { GIT_MIRRORS: Readonly<Record<string, string>> }): string | null =>
  Object.hasOwn(GIT_MIRRORS, sampleHost) ? `https://${sampleHost}/demo/sample` : null
