import { apt, baseRecipe, isoWeek, type Recipe } from '../base-images/recipe.ts'
import { ownRole } from '../own-container/own-container.ts'
import { command, copy, dockerfile, env, from } from '../image-builder/dockerfile.render.ts'
import { apacheConf, indexPhp, phpIni } from './adminer-files.render.ts'

export const adminerImage = 'panel-adminer:trixie'

export const adminerRole = 'database-admin'

/** The ISO week invalidates the layer cache, so that packages are updated weekly. */
export const adminerRecipe = (now: Date): Recipe => ({
  reference: adminerImage,
  isOwn: true,
  takesHostNode: false,
  labels: ownRole(adminerRole),
  dockerfile: dockerfile(
    from(baseRecipe.reference),
    env({ PANEL_IMAGE_WEEK: isoWeek(now), PHP_INI_SCAN_DIR: ':/etc/panel-adminer' }),
    apt('apache2', 'libapache2-mod-php', 'php-mysql', 'php-pgsql', 'adminer'),
    copy('index.php', '/usr/share/panel-adminer/index.php'),
    copy('apache.conf', '/etc/panel-adminer/apache.conf'),
    copy('panel.ini', '/etc/panel-adminer/panel.ini'),
    command(['apache2', '-f', '/etc/panel-adminer/apache.conf', '-D', 'FOREGROUND'])
  ),
  files: { 'index.php': indexPhp, 'apache.conf': apacheConf, 'panel.ini': phpIni }
})
