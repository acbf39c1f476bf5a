import { unwrap } from '@panel/client'
import type { SignedInCall } from '../context.ts'
import { facts } from '../table.ts'

export async function whoami({ client, print }: SignedInCall): Promise<void> {
  const user = await unwrap(client.GET('/api/auth/me'))
  const { name, email, role, id } = user
  print(user, facts({ name, email, role, id }))
}
