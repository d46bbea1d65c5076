# Builds three images: "web" (Caddy with the prerendered pages), "site" (the Node process), and "tools" (the tools of operators,
# scripts/lib/bundle-programs.mjs). Guide: docs/deploy-docker.md.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev
COPY . .
# The prerendered pages contain these settings (lib/config/build-settings.ts). The settings are not secret. They are build
# arguments, because a changed argument builds the pages again. BuildKit ignores changed secrets in its cache, and
# docker-compose 1.29 has no build secrets.
ARG SITE_URL SITE_NAME SUPPORT_EMAIL OPERATOR_NAME OPERATOR_ADDRESS CAPTCHA_PROVIDER POST_LOOKUP \
    LIKE_DELIVERY GTM_ID ADS_CLIENT ADS_SLOT_HEADER ADS_SLOT_TOOL POST_LOOKUP_IMAGE_HOSTS DEPLOYMENT
ENV NEXT_TELEMETRY_DISABLED=1
# The image "tools" gets the bundled programs, which need no npm packages. A clone can have modes that only its owner may read.
# Type checks would need testing and e2e, which are not in the image.
RUN BUILD_OUTPUT=standalone BUILD_TYPES=checked npm run build \
    && mkdir .next/tools/lib && cp scripts/tool.mjs .next/tools && cp scripts/lib/*.mjs .next/tools/lib \
    && chmod -R go=u-w .next/standalone .next/tools

FROM caddy:2.10.2 AS web
COPY --chmod=644 deploy/Caddyfile /etc/caddy/Caddyfile
COPY --chmod=755 deploy/start-web.sh /usr/local/bin/start-web
COPY --from=build /app/.next/standalone/web /opt/boost50/current/web
ENTRYPOINT ["start-web"]
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]

FROM node:24.21.0-bookworm-slim AS runtime
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1
WORKDIR /app
# The files belong to root, and the processes run as the user node. So the site cannot change its own files.
COPY --from=build /app/.next/standalone ./
COPY --chmod=755 deploy/start-site.sh /usr/local/bin/start-site
USER node

FROM runtime AS tools
COPY --from=build /app/.next/tools ./scripts
ENTRYPOINT ["start-site", "node", "scripts/tool.mjs"]

FROM runtime AS site
ENV HOSTNAME=0.0.0.0 PORT=3000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["start-site"]
# The two options limit the JavaScript heap. Without them, memory use reached 550 MiB (docs/performance.md).
CMD ["node", "--max-old-space-size=192", "--max-semi-space-size=32", "server.js"]
