/** What of an account takes room on the server: its projects' files, what containers have written, images, databases, build logs. */
export const diskUsageKinds = ['FILES', 'CONTAINERS', 'IMAGES', 'DATABASES', 'LOGS'] as const
export type DiskUsageKind = (typeof diskUsageKinds)[number]
