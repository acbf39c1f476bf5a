/** What variables belong to. */
export type Holder = { projectId: string } | { groupId: string }
