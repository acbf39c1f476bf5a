/** Tags of snapshots, by which the latest of each kind is found without the panel's store. */
export const panelTag = 'panel'
export const installationTag = (instanceId: string): string => `installation:${instanceId}`
export const projectTag = (projectId: string): string => `project:${projectId}`
