import { readGitAddress } from '@panel/contract/git-address'
import type { Config } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { type ParsedGitUrl, parseGitUrl } from './git-url.policy.ts'

type Hosts = Pick<Config, 'GIT_EXTRA_HOSTS' | 'GIT_MIRRORS'>

/** Rejects with GIT_URL_UNSUPPORTED (422). */
export function parseAcceptedGitUrl(config: Hosts, url: string): ParsedGitUrl {
  const parsed = parseGitUrl(url, { mirrors: config.GIT_MIRRORS, extraHosts: config.GIT_EXTRA_HOSTS })
  if ('problem' in parsed) throw new AppError('GIT_URL_UNSUPPORTED', parsed.problem)
  return parsed
}

interface Source<Url = string> {
  gitUrl: Url
  branch?: string | null | undefined
  rootDirectory?: string | null | undefined
}

/**
 * Where a project's source is. What the address names beside the repository counts where it is not set. Rejects with
 * GIT_URL_UNSUPPORTED (422).
 */
export function parseSource(config: Hosts, { gitUrl, branch, rootDirectory }: Source) {
  const address = readGitAddress(gitUrl, typeof branch === 'string' ? [branch] : [])
  return {
    url: parseAcceptedGitUrl(config, address.gitUrl),
    branch: branch === undefined ? address.branch : branch,
    rootDirectory: rootDirectory === undefined ? address.folder : rootDirectory
  }
}

/** Like `parseSource`, in the form that is stored, for a project that may have no repository. */
export function acceptedSource(config: Hosts, input: Partial<Source<string | null | undefined>>) {
  const { gitUrl, branch, rootDirectory } = input
  if (gitUrl === null || gitUrl === undefined) return { gitUrl, branch, rootDirectory }
  const { url, ...rest } = parseSource(config, { gitUrl, branch, rootDirectory })
  return { gitUrl: url.display, ...rest }
}
