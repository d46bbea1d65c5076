#!/bin/sh
# Entry point of the image "web". Copies the assets of this release to a volume that also keeps the assets of
# earlier releases, then executes the given command (Caddy).
set -eu
cd "${BOOST50_HOME:-/opt/boost50}"
mkdir -p assets

# Pages of the previous release may still be open. Its assets get today's date, so they stay another week.
if [ -f assets/.latest ]; then
  while read -r file; do touch -c "assets/$file"; done < assets/.latest
fi
cp -R current/web/assets/. assets/
(cd current/web/assets && find . -type f) > assets/.latest
find assets -type f -mtime +7 -exec rm {} +

exec "$@"
