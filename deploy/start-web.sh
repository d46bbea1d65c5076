#!/bin/sh
# Entry point of the image "web": copies this release's hashed assets to the volume with the assets of earlier releases,
# then executes the given command.
set -eu
cd "${BOOST50_HOME:-/opt/boost50}"
mkdir -p assets

# The previous release was in use until now, so its assets are kept for one more week.
if [ -f assets/.latest ]; then
  while read -r file; do touch -c "assets/$file"; done < assets/.latest
fi
cp -R current/web/assets/. assets/
(cd current/web/assets && find . -type f) > assets/.latest
find assets -type f -mtime +7 -exec rm {} +

exec "$@"
