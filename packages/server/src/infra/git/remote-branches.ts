import { Branch } from '@panel/contract/projects'
import type { RemoteBranches } from './git.ts'

export const maxListedBytes = 4 * 2 ** 20

const maxBranches = 1_000
const heads = 'refs/heads/'

/** Lines: `ref: refs/heads/<branch>TABHEAD`, `<hash>TABrefs/heads/<branch>`. Patterns also match other refs. */
export function parseBranches(listing: string): RemoteBranches {
  const lines = listing.split('\n').map((line) => line.split('\t'))
  const names = lines.flatMap(([, ref = '']) => (ref.startsWith(heads) ? [ref.slice(heads.length)] : []))
  const target = lines.find(([, ref]) => ref === 'HEAD')?.[0] ?? ''
  const head = target.startsWith(`ref: ${heads}`) ? target.slice(`ref: ${heads}`.length) : undefined
  const usable = names.filter((name) => Branch.safeParse(name).success).sort()
  const first = head !== undefined && usable.includes(head) ? head : undefined
  const rest = usable.filter((name) => name !== first).slice(0, maxBranches - 1)
  return { names: first === undefined ? rest : [...rest, first].sort(), head: first }
}
