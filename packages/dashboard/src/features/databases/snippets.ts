import type { Schema } from '../../api/client.ts'

const masked = '••••••••'

export const snippetNames = ['uri', 'shell', 'Node.js', 'PHP', 'Python'] as const
export type SnippetName = (typeof snippetNames)[number]

type Facts = Pick<Schema<'Database'>, 'type' | 'host' | 'port' | 'name' | 'username' | 'internalUri'>

export function snippetOf(name: SnippetName, { type, ...database }: Facts, password: string = masked): string {
  const { hostname: host, port } = new URL(database.internalUri.replace(/^\w+:/, 'http:'))
  const { username: user, name: db } = database
  const isPostgres = type === 'POSTGRESQL'
  const scheme = isPostgres ? 'postgresql' : 'mysql'
  const uri = `${scheme}://${user}:${password === masked ? masked : encodeURIComponent(password)}@${host}:${port}/${db}`
  const values = { host, port: Number(port), user, password, database: db }
  const named = Object.entries(values)
    .map(([key, value]) => `${isPostgres && key === 'database' ? 'dbname' : key}=${JSON.stringify(value)}`)
    .join(', ')
  const snippets: Record<SnippetName, string> = {
    uri,
    shell: isPostgres
      ? `psql 'host=${host} port=${port} user=${user} dbname=${db}'`
      : `mariadb -h ${host} -P ${port} -u ${user} -p ${db}`,
    'Node.js': isPostgres
      ? `import pg from 'pg'\n\nconst pool = new pg.Pool(${JSON.stringify(values, null, 2)})`
      : `import mysql from 'mysql2/promise'\n\nconst pool = mysql.createPool(${JSON.stringify(values, null, 2)})`,
    PHP: `$pdo = new PDO('${isPostgres ? 'pgsql' : 'mysql'}:host=${host};port=${port};dbname=${db}', '${user}', '${password.replaceAll(/[\\']/g, '\\$&')}');`,
    Python: isPostgres
      ? `import psycopg\n\nconnection = psycopg.connect(${named})`
      : `import pymysql\n\nconnection = pymysql.connect(${named})`
  }
  return snippets[name]
}
