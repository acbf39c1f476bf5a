/** The part of a push payload that says which files changed; GitHub, GitLab, Gitea and Forgejo share it. */
export interface FilePayload {
  before?: unknown
  created?: unknown
  forced?: unknown
  commits?: unknown
  /** GitLab; it sends at most 20 commits. */
  total_commits_count?: unknown
  /** Gitea and Forgejo. */
  total_commits?: unknown
}

// GitHub sends at most 2,048 commits and does not say that there are more.
const maxCommits = 2047
const maxFiles = 10_000

/**
 * The paths that a push changed, relative to the root of the repository. Null if the payload does not tell all of them: no
 * lists (Bitbucket), a cut list, a new branch, or a forced push, whose commits do not include what it took back.
 */
export function changedFiles(payload: FilePayload, commitHash: string): string[] | null {
  const { before, created, forced, commits } = payload
  if (created === true || forced === true || typeof before !== 'string' || /^0+$/.test(before)) return null
  if (!Array.isArray(commits) || commits.length === 0 || commits.length > maxCommits) return null
  const total = payload.total_commits_count ?? payload.total_commits ?? commits.length
  if (total !== commits.length || !commits.some((commit) => isObject(commit) && commit.id === commitHash)) return null
  const files = new Set<string>()
  for (const commit of commits) {
    const lists = isObject(commit) ? [commit.added, commit.modified, commit.removed] : [undefined]
    if (!lists.every(isTextList)) return null
    for (const path of lists.flat()) files.add(path)
    if (files.size > maxFiles) return null
  }
  return files.size === 0 ? null : [...files]
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string')
