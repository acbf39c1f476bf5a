import pg from 'pg'

/** Where the server of the URL has its socket: outside of its folder, which may have too long a path. */
export const socketDirectoryOf = (url: string): string => new URL(url).searchParams.get('host')!

/** The same server, another database. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}

export async function execute(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
