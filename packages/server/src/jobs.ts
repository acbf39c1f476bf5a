/** The queues of infra/job-queue, one line each. */
export const queueNames = [
  'deployments.build',
  'deployments.image',
  'containers.retire',
  'images.clean',
  'projects.purge',
  'accounts.password-reset',
  'certificates.renew',
  'certificates.issue',
  'certificates.alert',
  'wordpress.import'
] as const
export type QueueName = (typeof queueNames)[number]
