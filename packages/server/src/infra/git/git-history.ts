import { cleanCommitMessage } from '../../text/commit.ts'
import { ProcessError } from '../process/process.ts'
import { type Argv, branchRef, gitArgv } from './git-args.ts'
import type { CommitLine, CommitRange } from './git.ts'

export const historyDepth = 200
const maxScanned = 5_000
const maxCommits = 50

type Read = (argv: Argv) => Promise<{ stdout: string }>

/** Reads the fetched branch only; does not contact the remote. */
export async function readRange(read: Read, { from, to }: { from: string; to: string }): Promise<CommitRange> {
  const { stdout } = await read(gitArgv('rev-list', `--max-count=${maxScanned}`, branchRef, '--'))
  const known = new Set(stdout.split('\n'))
  if (!known.has(to)) return { commits: [], isComplete: false }
  const not = known.has(from) ? ['--not', from] : []
  const log = await read(gitArgv('log', `--max-count=${maxCommits + 1}`, ...format, to, ...not, '--')).catch(
    (error: unknown) => {
      // Output limit: subjects may have any length, also of zero-width characters that truncation does not count.
      if (error instanceof ProcessError) return undefined
      throw error
    }
  )
  if (!log) return { commits: [], isComplete: false }
  const commits = log.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map(parseLine)
  return { commits: commits.slice(0, maxCommits), isComplete: known.has(from) && commits.length <= maxCommits }
}

const format = [
  '--no-show-signature',
  '--no-notes',
  '--encoding=UTF-8',
  '--format=%H%x00%ct%x00%<(100,trunc)%an%x00%<(300,trunc)%s'
]

function parseLine(line: string): CommitLine {
  const [hash = '', at = '', author = '', subject = ''] = line.split('\0')
  // Unix seconds: a commit may have an invalid time zone.
  const time = new Date(Number(at) * 1_000)
  return {
    hash,
    at: Number.isNaN(time.getTime()) ? new Date(0) : time,
    author: cleanCommitMessage(author).slice(0, 100),
    subject: cleanCommitMessage(subject).slice(0, 300)
  }
}
