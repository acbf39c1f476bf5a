/** Why a deployment failed, as far as it is not a program's own words. */
export const failureTexts = {
  TIMED_OUT: 'It took longer than BUILD_TIMEOUT ({{seconds}} s)',
  PANEL_STOPPED: 'The panel was stopped; deploy again',
  PANEL_STOPPED_MEANWHILE: 'The panel stopped while this was {{status}}; deploy again',
  OUR_FAULT: 'Something went wrong on our side; the server log has the details',
  DISK_LOW:
    'The disk of this server is nearly full: {{free}} MiB are free and a build needs {{needed}} MiB (MIN_FREE_DISK). An administrator must make room; then build again',
  NO_REPOSITORY: 'The project has no repository to build from.',
  IMAGE_NOT_KEPT: 'The image of this deployment is no longer kept',
  ACCOUNT_GONE: 'The account of this project is gone',
  NO_HOST_NAME: 'No host name is free for this project; rename it',
  NO_ANSWER:
    'The container did not become ready: it did not answer HTTP on port {{port}} within {{seconds}} s; it must listen on 0.0.0.0 and the port in $PORT',
  CONTAINER_GONE: 'The container did not become ready: it is gone',
  OUT_OF_MEMORY:
    'The container did not become ready: it ran out of memory; raise DEPLOY_MEMORY_LIMIT or make it use less',
  EXITED: 'The container did not become ready: it stopped with exit code {{exitCode}}',
  EXITED_AND_RESTARTED:
    'The container did not become ready: it stopped with exit code {{exitCode}} and is started again',
  RESTARTED: 'The container did not become ready: it stopped and was started again'
} as const
export type FailureCode = keyof typeof failureTexts
