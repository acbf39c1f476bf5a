import type { Mount } from '../disk/mount.policy.ts'

type Command = [program: string, ...args: string[]]

const kilobyte = 1024

/** ext4 and XFS mounted with `usrquota` (XFS aliases `uquota` and `quota` show as this). */
export const hasUserQuotas = ({ options, superOptions, type }: Mount): boolean =>
  ['ext4', 'xfs'].includes(type) && [...options, ...superOptions].includes('usrquota')

export const reportCommand = (mountPoint: string): Command => [
  'repquota',
  '--user',
  '--no-names',
  '--raw-grace',
  '--output=csv',
  '--',
  mountPoint
]

/** Hard limit of bytes, none of inodes. 0 means unlimited, so a limit of zero becomes one block. */
export const limitCommand = (mountPoint: string, uid: number, bytes: number | null): Command => {
  const blocks = bytes === null ? 0 : Math.max(4, Math.floor(bytes / kilobyte))
  return ['setquota', '--user', String(uid), '0', String(blocks), '0', '0', mountPoint]
}

/** Parses a report: bytes and hard limit by uid. Users are written as `#20001`. */
export function parseReport(csv: string): Map<number, { bytes: number; limit: number }> {
  const [header = '', ...lines] = csv.trim().split('\n')
  const columns = header.split(',')
  const at = (row: readonly string[], column: string) => row[columns.indexOf(column)] ?? ''
  const rows = lines.map((line) => line.split(',')).filter((row) => /^#\d+$/.test(at(row, 'User')))
  return new Map(
    rows.map((row) => [
      Number(at(row, 'User').slice(1)),
      { bytes: Number(at(row, 'BlockUsed')) * kilobyte, limit: Number(at(row, 'BlockHardLimit')) * kilobyte }
    ])
  )
}
