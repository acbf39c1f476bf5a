import pg from 'pg'

/** Not in the data folder, whose path may exceed the limit of socket paths. */
export const socketDirectoryOf = (url: string): string => new URL(url).searchParams.get('host')!

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
