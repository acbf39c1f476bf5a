export interface MariadbConfigOptions {
  dataDirectory: string
  runtimeDirectory: string
  temporaryDirectory: string
  /** An empty directory for secure-file-priv, so that statements can read and write no files. */
  fileDirectory: string
  listen: readonly string[]
  port: number
}

/** Accounts may raise these for themselves, and the server does not return memory. Sites need far less. */
const sessionLimits: [string, string | number][] = [
  ['max-session-mem-used', '256M'],
  ['maximum-max-session-mem-used', '256M'],
  ['maximum-max-heap-table-size', '64M'],
  ['maximum-tmp-memory-table-size', '64M'],
  ['maximum-tmp-table-size', '64M'],
  ['tmp-disk-table-size', '2G'],
  ['maximum-tmp-disk-table-size', '2G'],
  ['maximum-sort-buffer-size', '32M'],
  ['maximum-join-buffer-size', '32M'],
  ['maximum-join-buffer-space-limit', '64M'],
  ['maximum-read-buffer-size', '8M'],
  ['maximum-read-rnd-buffer-size', '8M'],
  ['maximum-mrr-buffer-size', '8M'],
  ['maximum-bulk-insert-buffer-size', '16M'],
  ['maximum-group-concat-max-len', '64M'],
  // Ends forgotten statements. Not a security limit: a session may change it.
  ['max-statement-time', 3600]
]

/** Little memory, but durable. Statements are not logged: they may contain secrets. */
export function renderMariadbConfig(options: MariadbConfigOptions): string {
  const settings: [string, (string | number)?][] = [
    ['datadir', path(options.dataDirectory)],
    ['socket', path(`${options.runtimeDirectory}/mariadb.sock`)],
    ['pid-file', path(`${options.runtimeDirectory}/mariadb.pid`)],
    ['tmpdir', path(options.temporaryDirectory)],
    ['secure-file-priv', path(options.fileDirectory)],
    ['bind-address', options.listen.map(address).join(',')],
    ['port', options.port],
    ['skip-name-resolve'],
    ['local-infile', 0],
    ['symbolic-links', 0],
    ['skip-log-bin'],
    ['general-log', 0],
    ['slow-query-log', 0],
    ['log-warnings', 1],
    ['character-set-server', 'utf8mb4'],
    ['collation-server', 'utf8mb4_general_ci'],
    ['lower-case-table-names', 0],
    ['max-connections', 300],
    // Server-wide; with the default of 16,382 one account could use them all. The memory counts towards its session.
    ['max-prepared-stmt-count', 1_048_576],
    ['thread-cache-size', 8],
    ['connect-timeout', 10],
    ['max-allowed-packet', '64M'],
    ['performance-schema', 0],
    ['innodb-buffer-pool-size', '128M'],
    ['innodb-log-file-size', '64M'],
    ['innodb-flush-log-at-trx-commit', 1],
    ['innodb-doublewrite', 1],
    ['innodb-file-per-table', 1],
    ['key-buffer-size', '8M'],
    ['aria-pagecache-buffer-size', '16M'],
    ['tmp-table-size', '16M'],
    ['max-heap-table-size', '16M'],
    ...sessionLimits,
    ['default-time-zone', '+00:00']
  ]
  const lines = settings.map(([name, value]) => (value === undefined ? name : `${name} = ${value}`))
  return `[mariadbd]\n${lines.join('\n')}\n`
}

// MariaDB option files have no quoting that is safe for every byte.
function path(text: string): string {
  if (!/^(?:\/[A-Za-z0-9._-]+)+$/.test(text)) throw new TypeError(`Not a plain path: ${JSON.stringify(text)}`)
  return text
}

function address(text: string): string {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) throw new TypeError(`Not an IPv4 address: ${JSON.stringify(text)}`)
  return text
}
