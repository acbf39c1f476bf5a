import { eq } from 'drizzle-orm'
import type { Queryable } from '../../db/database.ts'
import { domains } from '../../db/schema/domains.ts'
import { mailDomains } from '../../db/schema/mail-domains.ts'
import { users } from '../../db/schema/users.ts'

export interface MailDomainOwner {
  id: string
  name: string
  email: string
}

export async function findOwnerOfMailDomain(db: Queryable, name: string): Promise<MailDomainOwner | undefined> {
  const [row] = await db
    .select({ id: users.id, name: users.name, email: users.email })
    .from(mailDomains)
    .innerJoin(domains, eq(domains.id, mailDomains.domainId))
    .innerJoin(users, eq(users.id, domains.userId))
    .where(eq(mailDomains.name, name))
  return row
}
