export interface PostgresqlConfigOptions {
  dataDirectory: string
  runtimeDirectory: string
  directory: string
  listen: readonly string[]
  port: number
  containerSubnets: readonly string[]
  admin: string
  /** System user that may connect as the superuser over the Unix socket without a password. */
  systemUser: string
}

/** Little memory, but durable. Statements are not logged: they may contain secrets. */
export function renderPostgresqlConfig(options: PostgresqlConfigOptions): string {
  const settings: [string, string | number][] = [
    ['data_directory', quote(options.dataDirectory)],
    ['hba_file', quote(`${options.directory}/pg_hba.conf`)],
    ['ident_file', quote(`${options.directory}/pg_ident.conf`)],
    ['listen_addresses', quote(options.listen.join(','))],
    ['port', options.port],
    ['unix_socket_directories', quote(options.runtimeDirectory)],
    ['unix_socket_permissions', '0700'],
    ['max_connections', 300],
    // Reserved for the panel (a superuser) when accounts use all other connections.
    ['superuser_reserved_connections', 10],
    ['authentication_timeout', '10s'],
    ['password_encryption', quote('scram-sha-256')],
    ['tcp_keepalives_idle', 60],
    ['shared_buffers', '64MB'],
    ['work_mem', '4MB'],
    ['maintenance_work_mem', '32MB'],
    ['max_wal_size', '512MB'],
    ['min_wal_size', '32MB'],
    ['max_parallel_workers_per_gather', 0],
    ['jit', 'off'],
    ['temp_file_limit', '2GB'],
    // End forgotten statements and transactions that hold locks and old rows. A session may change these.
    ['statement_timeout', '1h'],
    ['idle_in_transaction_session_timeout', '1h'],
    ['fsync', 'on'],
    ['full_page_writes', 'on'],
    ['synchronous_commit', 'on'],
    ['timezone', quote('UTC')],
    ['log_timezone', quote('UTC')],
    ['logging_collector', 'off'],
    ['log_line_prefix', quote('%m [%p] %q%u@%d ')],
    ['log_min_messages', 'log'],
    ['log_min_error_statement', 'panic'],
    ['log_checkpoints', 'off']
  ]
  return settings.map(([name, value]) => `${name} = ${value}\n`).join('')
}

/**
 * pg_hba.conf: the first matching line decides. The superuser may not connect from a container. Those on other machines arrive
 * from an address of this one.
 */
export function renderHostBasedAccess({ admin, containerSubnets }: PostgresqlConfigOptions): string {
  const bad = containerSubnets.find((subnet) => !/^\d{1,3}(\.\d{1,3}){3}\/\d{1,2}$/.test(subnet))
  if (bad !== undefined) throw new TypeError(`Not a subnet: ${JSON.stringify(bad)}`)
  return [
    ['local', 'all', name(admin), 'peer map=panel'],
    ['host', 'all', 'all', '127.0.0.1/32', 'scram-sha-256'],
    ['host', 'all', name(admin), 'all', 'reject'],
    ...containerSubnets.map((subnet) => ['host', 'all', 'all', subnet, 'scram-sha-256']),
    ['host', 'all', 'all', 'samehost', 'scram-sha-256']
  ]
    .map((fields) => `${fields.join(' ')}\n`)
    .join('')
}

export const renderIdentMap = ({ admin, systemUser }: PostgresqlConfigOptions): string =>
  `panel ${name(systemUser)} ${name(admin)}\n`

function quote(text: string): string {
  if (/[\r\n\\]/.test(text)) throw new TypeError(`Not a value for PostgreSQL's configuration: ${JSON.stringify(text)}`)
  return `'${text.replaceAll("'", "''")}'`
}

// Unquoted on purpose: our names never need quotes.
function name(text: string): string {
  if (!/^[a-z_][a-z0-9_-]{0,62}$/i.test(text)) throw new TypeError(`Not a name: ${JSON.stringify(text)}`)
  return text
}
