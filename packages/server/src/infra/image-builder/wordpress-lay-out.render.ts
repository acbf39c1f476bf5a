import { pageCacheDirectory } from './image-builder.ts'

/**
 * PHP that runs before Apache in a WordPress container. The site lives in the project's directory, where the owner
 * edits it over SFTP and WordPress updates itself. The script adds the core if it is missing and, once per deployment,
 * copies the repository's files over the existing ones. It removes nothing.
 * Two containers may run it at once while others serve the same files: a lock serializes them, each file is replaced
 * atomically, and an old container that restarts does not overwrite a newer deployment's files. Safe to kill at any
 * point: wp-includes/version.php comes last and marks the core as complete.
 */
export const layOutScript = (paths: { root: string; core: string; site: string }): string => String.raw`<?php
set_error_handler(function ($level, $message, $file, $line) {
  throw new ErrorException($message, 0, $level, $file, $line);
});
chdir('${paths.root}');

$marker = fopen('.panel-release', 'c+');
flock($marker, LOCK_EX);
is_dir('.panel-tmp') || mkdir('.panel-tmp', 0700);

$laidOut = trim(stream_get_contents($marker));
$release = (string) getenv('PANEL_DEPLOYMENT');
if (is_dir('${paths.site}') && ($laidOut === '' || strcmp($release, $laidOut) > 0)) {
  echo "Copying the repository's files\n";
  lay_out('${paths.site}', true);
}
if (strcmp($release, $laidOut) > 0) {
  ftruncate($marker, 0);
  rewind($marker);
  fwrite($marker, $release);
}
if (!is_file('wp-includes/version.php')) {
  echo "Installing WordPress\n";
  lay_out('${paths.core}', false);
}
renew_page_cache();

/** A site without space works without its cache. */
function renew_page_cache() {
  try {
    if (getenv('PANEL_PAGE_CACHE') === '1' && !is_dir('${pageCacheDirectory}')) mkdir('${pageCacheDirectory}', 0700);
    if (is_file('${pageCacheDirectory}/generation')) unlink('${pageCacheDirectory}/generation');
  } catch (ErrorException $error) {
    echo "The page cache could not be renewed: ", $error->getMessage(), "\n";
  }
}

function lay_out($source, $overwrites) {
  $last = 'wp-includes/version.php';
  lay_out_directory($source, '.', $overwrites, $last);
  if (is_file("$source/$last")) lay_out_file("$source/$last", $last, $overwrites);
}

function lay_out_directory($from, $to, $overwrites, $except) {
  is_dir($to) || mkdir($to, 0755);
  foreach (array_diff(scandir($from), ['.', '..']) as $name) {
    $source = "$from/$name";
    $target = $to === '.' ? $name : "$to/$name";
    if (is_dir($source) && !is_link($source)) lay_out_directory($source, $target, $overwrites, $except);
    elseif ($target !== $except) lay_out_file($source, $target, $overwrites);
  }
}

function lay_out_file($from, $to, $overwrites) {
  if (!$overwrites && (file_exists($to) || is_link($to))) return;
  $new = '.panel-tmp/new';
  if (is_link($new) || file_exists($new)) unlink($new);
  if (is_link($from)) symlink(readlink($from), $new);
  else {
    copy($from, $new);
    chmod($new, fileperms($from) & 0755);
  }
  rename($new, $to);
}
`
