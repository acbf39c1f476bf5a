import { Branch, RepositoryPath } from './projects.ts'

export interface GitAddress {
  gitUrl: string
  /** Undefined if the address names none. */
  branch?: string | undefined
  /** Folder in the repository; undefined for the repository itself. */
  folder?: string | undefined
}

/** What stands between repository and branch in an address that a browser shows, by Git host. */
const pageForms: readonly { hosts: RegExp; pattern: RegExp }[] = [
  // GitLab, also self-hosted; its groups can be nested.
  { hosts: /^/, pattern: /^(?<repository>.+?)\/-\/(?<kind>tree|blob)\/(?<rest>.+)$/ },
  { hosts: /^bitbucket\.org$/i, pattern: /^(?<repository>[^/]+\/[^/]+)\/(?<kind>src)\/(?<rest>.+)$/ },
  // Gitea and Forgejo
  { hosts: /^/, pattern: /^(?<repository>[^/]+\/[^/]+)\/(?<kind>src)\/branch\/(?<rest>.+)$/ },
  // GitHub. On gitlab.com, `tree` could be the name of a group.
  { hosts: /^(?!gitlab\.com$)/i, pattern: /^(?<repository>[^/]+\/[^/]+)\/(?<kind>tree|blob)\/(?<rest>.+)$/ }
]

/**
 * Reads the address of a repository, or of one of its folders or files as a browser shows it on GitHub, GitLab, Gitea,
 * Forgejo or Bitbucket. A branch may contain slashes, so the longest of `branches` that fits is taken, else the first
 * word. Addresses of no known form come back as they are.
 */
export function readGitAddress(text: string, branches: readonly string[] = []): GitAddress {
  const [, scheme = '', host = '', path = ''] = /^(https?:\/\/)([^/?#]+)\/([^?#]*)/i.exec(text) ?? []
  for (const { hosts, pattern } of pageForms) {
    const { repository, kind, rest } = (hosts.test(host) && pattern.exec(path.replace(/\/+$/, ''))?.groups) || {}
    if (repository === undefined || rest === undefined) continue
    return { gitUrl: `${scheme}${host}/${repository}`, ...branchAndFolder(rest, kind === 'blob', branches) }
  }
  return { gitUrl: text }
}

function branchAndFolder(rest: string, isFile: boolean, branches: readonly string[]): Omit<GitAddress, 'gitUrl'> {
  const words = rest.split('/').map(decoded)
  const whole = words.join('/')
  const known = branches.filter((name) => whole === name || whole.startsWith(`${name}/`))
  const branch = known.toSorted((a, b) => b.length - a.length)[0] ?? words[0]!
  const below = whole.slice(branch.length + 1)
  const folder = isFile ? below.slice(0, Math.max(0, below.lastIndexOf('/'))) : below
  return {
    branch: Branch.safeParse(branch).success ? branch : undefined,
    folder: RepositoryPath.safeParse(folder).success ? folder : undefined
  }
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}
