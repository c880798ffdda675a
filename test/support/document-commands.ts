/** For each command in the documents: the test that runs it, or the reason why no test does. */
export const DOCUMENT_COMMANDS: Readonly<Record<string, string>> = {
  'npm ci && npm run demo': 'test/demo/main.test.ts, but for npm ci, which .ci/run runs',
  'npm ci --omit=dev': 'not run in a test: the image is built with it',
  'docker build -t snapshot-bot .': 'not run: no container engine in the tests; the Dockerfile is linted',
  'docker run --name snapshot-bot --env-file .env -v snapshot-bot:/app/data -p 3000:3000 snapshot-bot':
    'not run: no container engine in the tests',
  'docker run --name snapshot-bot --env-file .env --read-only --tmpfs /tmp --cap-drop=ALL --security-opt=no-new-privileges -v snapshot-bot:/app/data -p 3000:3000 snapshot-bot':
    'not run: no container engine in the tests',
  'docker compose up -d': 'not run: no container engine in the tests; compose.yaml is held to the schema',
  'npm run doctor': 'test/operators/doctor.test.ts',
  'npm run doctor -- --json': 'test/operators/doctor.test.ts',
  'npm run doctor -- --snapshot 26808463': 'test/operators/doctor.test.ts',
  'npm run forget -- --user U0123ABCD': 'test/durability/forget.test.ts',
  'npm run forget -- --all': 'test/durability/forget.test.ts',
  'docker run --rm --env-file .env -v snapshot-bot:/app/data snapshot-bot node src/forget.ts --user U0123ABCD':
    'not run: no container engine in the tests',
  'docker compose run --rm bot node src/forget.ts --user U0123ABCD':
    'not run: no container engine in the tests',
  'kubectl exec --namespace snapshot-bot deploy/snapshot-bot -- node src/forget.ts --user U0123ABCD':
    'not run: no cluster',
  'promtool check config deploy/prometheus/prometheus.yml': 'test/bot/monitoring.test.ts',
  'promtool test rules deploy/prometheus/alerts.test.yml': 'test/bot/monitoring.test.ts',
  'helm install snapshot-bot deploy/helm --namespace snapshot-bot --create-namespace --values my-values.yaml':
    'test/operators/helm-chart.test.ts, without a cluster',
  'kubectl create secret generic snapshot-bot --namespace snapshot-bot --from-env-file=secrets/kubernetes.env':
    'test/operators/helm-chart.test.ts, without a cluster',
  'cp deploy/systemd/snapshot-bot.service /etc/systemd/system/': 'not run: no systemd runs in the tests',
  'systemctl enable --now snapshot-bot': 'not run: no systemd runs in the tests',
  'systemctl stop snapshot-bot': 'not run: no systemd runs in the tests',
  'systemctl daemon-reload': 'not run: no systemd runs in the tests',
  'systemctl start snapshot-bot': 'not run: no systemd runs in the tests',
  'systemctl kill --signal=STOP snapshot-bot':
    'test/durability/data-directory.test.ts, but by a process id: no systemd runs in the tests',
  'cp -a /var/lib/private/snapshot-bot/. "$copy"': 'test/durability/data-directory.test.ts',
  'systemctl kill --signal=CONT snapshot-bot':
    'test/durability/data-directory.test.ts, but by a process id: no systemd runs in the tests',
  'deploy/systemd/tool forget --user U0123ABCD':
    'test/operators/systemd-unit.test.ts, but for what systemd does',
  'mkdir -m 700 secrets': 'test/operators/documents.test.ts',
  'openssl rand -hex 24 > secrets/redis_password': 'test/operators/documents.test.ts',
  'printf \'redis://:%s@redis:6379\' "$(cat secrets/redis_password)" > secrets/redis_url':
    'test/operators/documents.test.ts',
  'openssl rand -base64 32 > secrets/state_key': 'test/operators/documents.test.ts',
  'npm run demo -- "/snapshot 1001"': 'test/demo/main.test.ts',
  'npm run demo -- --tour': 'test/demo/main.test.ts',
  'npm run demo -- --help': 'test/demo/main.test.ts',
  'cp .env.example .env': 'not run: it copies; test/operators/configuration.test.ts reads .env.example',
  'npm start': 'test/durability/start-errors.test.ts',
  'npm ci': 'not run in a test: .ci/run runs it',
  'npm ci && npm run check': 'not run in a test: it runs the tests; .ci/run runs the same',
  'npm run lint': 'not run in a test: .ci/run runs it',
  'npm run measures': 'not run in a test: it prints figures',
  'npm run fuzz': 'test/fuzz/fuzz.test.ts',
  'npm run bench': 'not run in a test: it measures for minutes',
  'npm run test:chaos -- --seeds 20': 'test/durability/chaos.test.ts, with fewer seeds',
  'npm run test:mutation': 'not run in a test: it runs the tests, thousands of times',
  'TEST_REDIS_SERVER=path npm test': 'not run: it takes another Redis than the one of Debian',
  'docker exec snapshot-bot node src/doctor.ts': 'not run: no container engine in the tests',
};
