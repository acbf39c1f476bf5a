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

export function acceptedGitUrl(config: Hosts, url: string | null | undefined): string | null {
  return url === null || url === undefined ? null : parseAcceptedGitUrl(config, url).display
}
