SELECT pg_catalog.set_config('search_path', '', false);

CREATE FUNCTION public.tally_jobs() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN IF TG_OP = 'INSERT' THEN INSERT INTO tallies (tenant, kind, lane, queued, running, cancelling, succeeded, failed, cancelled) VALUES (NEW.tenant, NEW.kind, NEW.lane, CASE WHEN NEW.state = 'queued' THEN 1 ELSE 0 END, CASE WHEN NEW.state = 'running' THEN 1 ELSE 0 END, CASE WHEN NEW.state = 'cancelling' THEN 1 ELSE 0 END, CASE WHEN NEW.state = 'succeeded' THEN 1 ELSE 0 END, CASE WHEN NEW.state = 'failed' THEN 1 ELSE 0 END, CASE WHEN NEW.state = 'cancelled' THEN 1 ELSE 0 END) ON CONFLICT (tenant, kind, lane) DO UPDATE SET queued = tallies.queued + excluded.queued, running = tallies.running + excluded.running, cancelling = tallies.cancelling + excluded.cancelling, succeeded = tallies.succeeded + excluded.succeeded, failed = tallies.failed + excluded.failed, cancelled = tallies.cancelled + excluded.cancelled; UPDATE sweeps SET queued = queued + CASE WHEN NEW.state = 'queued' THEN 1 ELSE 0 END, running = running + CASE WHEN NEW.state = 'running' THEN 1 ELSE 0 END, cancelling = cancelling + CASE WHEN NEW.state = 'cancelling' THEN 1 ELSE 0 END, succeeded = succeeded + CASE WHEN NEW.state = 'succeeded' THEN 1 ELSE 0 END, failed = failed + CASE WHEN NEW.state = 'failed' THEN 1 ELSE 0 END - CASE WHEN NEW.sweep_try > 1 THEN 1 ELSE 0 END, cancelled = cancelled + CASE WHEN NEW.state = 'cancelled' THEN 1 ELSE 0 END, finished_at = NULL WHERE id = NEW.sweep_id; END IF; IF TG_OP = 'UPDATE' THEN UPDATE tallies SET queued = queued - CASE WHEN OLD.state = 'queued' THEN 1 ELSE 0 END, running = running - CASE WHEN OLD.state = 'running' THEN 1 ELSE 0 END, cancelling = cancelling - CASE WHEN OLD.state = 'cancelling' THEN 1 ELSE 0 END, succeeded = succeeded - CASE WHEN OLD.state = 'succeeded' THEN 1 ELSE 0 END, failed = failed - CASE WHEN OLD.state = 'failed' THEN 1 ELSE 0 END, cancelled = cancelled - CASE WHEN OLD.state = 'cancelled' THEN 1 ELSE 0 END WHERE tenant = OLD.tenant AND kind = OLD.kind AND lane = OLD.lane; INSERT INTO tallies (tenant, kind, lane, queued, running, cancelling, succeeded, failed, cancelled) VALUES (NEW.tenant, NEW.kind, NEW.lane, CASE WHEN NEW.state = 'queued' THEN 1 ELSE 0 END, CASE WHEN NEW.state = 'running' THEN 1 ELSE 0 END, CASE WHEN NEW.state = 'cancelling' THEN 1 ELSE 0 END, CASE WHEN NEW.state = 'succeeded' THEN 1 ELSE 0 END, CASE WHEN NEW.state = 'failed' THEN 1 ELSE 0 END, CASE WHEN NEW.state = 'cancelled' THEN 1 ELSE 0 END) ON CONFLICT (tenant, kind, lane) DO UPDATE SET queued = tallies.queued + excluded.queued, running = tallies.running + excluded.running, cancelling = tallies.cancelling + excluded.cancelling, succeeded = tallies.succeeded + excluded.succeeded, failed = tallies.failed + excluded.failed, cancelled = tallies.cancelled + excluded.cancelled; UPDATE tallies SET served = (SELECT max(served) + 1 FROM tallies) WHERE tenant = NEW.tenant AND kind = NEW.kind AND lane = NEW.lane AND OLD.state = 'queued' AND NEW.state = 'running'; UPDATE sweeps SET queued = queued - CASE WHEN OLD.state = 'queued' THEN 1 ELSE 0 END + CASE WHEN NEW.state = 'queued' THEN 1 ELSE 0 END, running = running - CASE WHEN OLD.state = 'running' THEN 1 ELSE 0 END + CASE WHEN NEW.state = 'running' THEN 1 ELSE 0 END, cancelling = cancelling - CASE WHEN OLD.state = 'cancelling' THEN 1 ELSE 0 END + CASE WHEN NEW.state = 'cancelling' THEN 1 ELSE 0 END, succeeded = succeeded - CASE WHEN OLD.state = 'succeeded' THEN 1 ELSE 0 END + CASE WHEN NEW.state = 'succeeded' THEN 1 ELSE 0 END, failed = failed - CASE WHEN OLD.state = 'failed' THEN 1 ELSE 0 END + CASE WHEN NEW.state = 'failed' THEN 1 ELSE 0 END, cancelled = cancelled - CASE WHEN OLD.state = 'cancelled' THEN 1 ELSE 0 END + CASE WHEN NEW.state = 'cancelled' THEN 1 ELSE 0 END, finished_at = CASE WHEN NEW.state NOT IN ('queued', 'running', 'cancelling') AND queued + running + cancelling - CASE WHEN OLD.state IN ('queued', 'running', 'cancelling') THEN 1 ELSE 0 END = 0 AND (created = jobs OR cancelled_at IS NOT NULL) THEN NEW.finished_at END WHERE id = NEW.sweep_id AND OLD.state <> NEW.state; END IF; IF TG_OP = 'DELETE' THEN UPDATE tallies SET queued = queued - CASE WHEN OLD.state = 'queued' THEN 1 ELSE 0 END, running = running - CASE WHEN OLD.state = 'running' THEN 1 ELSE 0 END, cancelling = cancelling - CASE WHEN OLD.state = 'cancelling' THEN 1 ELSE 0 END, succeeded = succeeded - CASE WHEN OLD.state = 'succeeded' THEN 1 ELSE 0 END, failed = failed - CASE WHEN OLD.state = 'failed' THEN 1 ELSE 0 END, cancelled = cancelled - CASE WHEN OLD.state = 'cancelled' THEN 1 ELSE 0 END WHERE tenant = OLD.tenant AND kind = OLD.kind AND lane = OLD.lane; END IF; RETURN NULL; END $$;

CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);

CREATE TABLE public.applications (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    id character varying(63) NOT NULL,
    summary text NOT NULL,
    packed bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone
);

CREATE TABLE public.audit_lines (
    id character varying(63) NOT NULL,
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    at timestamp with time zone NOT NULL,
    actor character varying(200) NOT NULL,
    action character varying(63) NOT NULL,
    subject character varying(200) NOT NULL
);

CREATE TABLE public.compatibility (
    oldest character varying(31) NOT NULL
);

CREATE TABLE public.deleted_jobs (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    id character varying(63) NOT NULL,
    deleted_at timestamp with time zone NOT NULL
);

CREATE TABLE public.idempotency_keys (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    key character varying(255) NOT NULL,
    fingerprint character varying(127) NOT NULL,
    job_id character varying(63) NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE public.job_events (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    job_id character varying(63) NOT NULL,
    seq integer NOT NULL,
    type character varying(15) NOT NULL,
    data text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT ck_job_events_type CHECK (((type)::text = ANY ((ARRAY['state'::character varying, 'progress'::character varying, 'end'::character varying])::text[])))
);

CREATE TABLE public.job_instances (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    job_id character varying(63) NOT NULL,
    packed bytea NOT NULL
);

CREATE TABLE public.job_labels (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    job_id character varying(63) NOT NULL,
    key character varying(63) NOT NULL,
    value character varying(200) NOT NULL
);

CREATE TABLE public.job_results (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    job_id character varying(63) NOT NULL,
    attempt integer NOT NULL,
    packed bytea NOT NULL
);

CREATE TABLE public.job_traces (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    job_id character varying(63) NOT NULL,
    packed bytea NOT NULL
);

CREATE TABLE public.jobs (
    id character varying(63) NOT NULL,
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    kind character varying(63) NOT NULL,
    state character varying(15) NOT NULL,
    outcome character varying(15),
    labels text NOT NULL,
    warnings text NOT NULL,
    time_limit double precision NOT NULL,
    progress text,
    error text,
    schedule_id character varying(63),
    attempt integer NOT NULL,
    failures integer NOT NULL,
    worker character varying(255),
    lease_until timestamp with time zone,
    woken_at timestamp with time zone NOT NULL,
    wakes integer NOT NULL,
    seq integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    objective text,
    bound text,
    gap text,
    requires smallint DEFAULT '0'::smallint NOT NULL,
    name character varying(200) COLLATE pg_catalog."C",
    priority smallint DEFAULT '0'::smallint NOT NULL,
    lane smallint DEFAULT '0'::smallint NOT NULL,
    sweep_id character varying(63),
    sweep_index integer DEFAULT 0 NOT NULL,
    sweep_try smallint DEFAULT '0'::smallint NOT NULL,
    retry_of character varying(63),
    replaced_by character varying(63),
    replan_of character varying(63),
    CONSTRAINT ck_jobs_counts CHECK (((attempt >= 0) AND (failures >= 0) AND (seq >= 0))),
    CONSTRAINT ck_jobs_failed CHECK ((((state)::text = 'failed'::text) = (error IS NOT NULL))),
    CONSTRAINT ck_jobs_finished CHECK ((((state)::text = ANY ((ARRAY['succeeded'::character varying, 'failed'::character varying, 'cancelled'::character varying])::text[])) = (finished_at IS NOT NULL))),
    CONSTRAINT ck_jobs_leased CHECK ((((state)::text = ANY ((ARRAY['running'::character varying, 'cancelling'::character varying])::text[])) = (lease_until IS NOT NULL))),
    CONSTRAINT ck_jobs_outcome CHECK (((outcome)::text = ANY ((ARRAY['optimal'::character varying, 'feasible'::character varying, 'infeasible'::character varying, 'bound_only'::character varying, 'unknown'::character varying])::text[]))),
    CONSTRAINT ck_jobs_state CHECK (((state)::text = ANY ((ARRAY['queued'::character varying, 'running'::character varying, 'cancelling'::character varying, 'succeeded'::character varying, 'failed'::character varying, 'cancelled'::character varying])::text[]))),
    CONSTRAINT ck_jobs_succeeded CHECK ((((state)::text = 'succeeded'::text) = (outcome IS NOT NULL)))
);

CREATE TABLE public.keys (
    id character varying(31) NOT NULL,
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    hash character varying(64) NOT NULL,
    scopes text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    used_at timestamp with time zone
);

CREATE TABLE public.platforms (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    id character varying(63) NOT NULL,
    summary text NOT NULL,
    packed bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone
);

CREATE TABLE public.probes (
    id character varying(31) NOT NULL,
    at timestamp with time zone,
    filler bytea
);

CREATE TABLE public.replans (
    id character varying(63) NOT NULL,
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    of_job character varying(63) NOT NULL,
    job_id character varying(63),
    packed bytea NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE public.schedule_chunks (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    schedule_id character varying(63) NOT NULL,
    part character varying(31) NOT NULL,
    number integer NOT NULL,
    first integer NOT NULL,
    length integer NOT NULL,
    start text,
    packed bytea NOT NULL
);

CREATE TABLE public.schedules (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    id character varying(63) NOT NULL,
    header text NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE public.sessions (
    hash character varying(64) NOT NULL,
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    key_id character varying(31) NOT NULL,
    scopes text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone NOT NULL
);

CREATE TABLE public.sweep_plans (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    sweep_id character varying(63) NOT NULL,
    packed bytea NOT NULL
);

CREATE TABLE public.sweep_studies (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    sweep_id character varying(63) NOT NULL,
    packed bytea NOT NULL
);

CREATE TABLE public.sweeps (
    id character varying(63) NOT NULL,
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    kind character varying(15) NOT NULL,
    job_kind character varying(63) NOT NULL,
    name character varying(200),
    labels text NOT NULL,
    of_job character varying(63),
    jobs integer DEFAULT 0 NOT NULL,
    created integer DEFAULT 0 NOT NULL,
    queued integer DEFAULT 0 NOT NULL,
    running integer DEFAULT 0 NOT NULL,
    cancelling integer DEFAULT 0 NOT NULL,
    succeeded integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    cancelled integer DEFAULT 0 NOT NULL,
    lease_until timestamp with time zone,
    cancelled_at timestamp with time zone,
    doom character varying(15),
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT ck_sweeps_created CHECK (((created >= 0) AND (created <= jobs))),
    CONSTRAINT ck_sweeps_doom CHECK (((doom)::text = ANY ((ARRAY['deleted'::character varying, 'purged'::character varying])::text[]))),
    CONSTRAINT ck_sweeps_kind CHECK (((kind)::text = ANY ((ARRAY['sweep'::character varying, 'what_if'::character varying])::text[])))
);

CREATE TABLE public.tallies (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    kind character varying(63) NOT NULL,
    lane smallint DEFAULT '0'::smallint NOT NULL,
    queued integer DEFAULT 0 NOT NULL,
    running integer DEFAULT 0 NOT NULL,
    cancelling integer DEFAULT 0 NOT NULL,
    succeeded integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    cancelled integer DEFAULT 0 NOT NULL,
    served bigint DEFAULT '0'::bigint NOT NULL
);

CREATE TABLE public.tenants (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    created_at timestamp with time zone NOT NULL,
    queued_jobs integer,
    running_jobs integer,
    requests_per_minute integer,
    stored_bytes bigint,
    time_limit double precision,
    priority smallint,
    retention_days integer,
    measured_bytes bigint,
    measured_at timestamp with time zone,
    sweep_jobs integer
);

CREATE TABLE public.tombstones (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    job_id character varying(63) NOT NULL,
    purged_at timestamp with time zone NOT NULL
);

CREATE TABLE public.workers (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    id character varying(255) NOT NULL,
    versions text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    skills text
);

INSERT INTO public.alembic_version VALUES ('0010');

INSERT INTO public.compatibility VALUES ('0004');

INSERT INTO public.idempotency_keys VALUES ('local', 'master_worker', 'body_5c622bef099e75ede6bde72740ef2ec3', 'job_01a217bb81591525aaa68bd53ef9031d', '2026-11-26 12:01:34.068349+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'task_graph', 'body_c4a212debfef472b47ff0c65999670cc', 'job_01a217bb9635b66d76dae354a9ead79f', '2026-11-26 12:01:39.394064+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'mono_allocation', 'body_ac3ecada99f08d84266ef773428b0ed7', 'job_01a217bba2c58dc4e87dd20094dab85e', '2026-11-26 12:01:42.610473+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'collective', 'body_ee203b738f0b7b4b7c113fdc1c5413fc', 'job_01a217bba71965bba7039e6f89569292', '2026-11-26 12:01:43.718581+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'divisible_chain', 'body_f072b76e7c1a9c5f52247439ab7de1d1', 'job_01a217bbabb165765ed8afcfb49fe7f5', '2026-11-26 12:01:44.882781+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'divisible_star', 'body_1796d0c4fc7b96b928093499f8054658', 'job_01a217bbacc11ea48808703520f73efc', '2026-11-26 12:01:45.160115+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'cell', 'body_1812eee2d896af673a5ce4ef432c4cc9', 'job_01a217bbaeb0d9409d0222efe57a8482', '2026-11-26 12:01:45.649985+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'bag_of_tasks', 'body_73171630dc54443c35d418eb33cd3ca4', 'job_01a217bbb074c69f8f76cd6b94dea477', '2026-11-26 12:01:46.102175+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'replicated_workflow', 'body_caf20eff13235bb31db7d0739bfe0981', 'job_01a217bbb2350e1832e4b1ab7a244dc5', '2026-11-26 12:01:46.550166+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'dataflow', 'body_a82a36bd931c8b756997628993ec408a', 'job_01a217bbb350711a284a3447d3ca8ca6', '2026-11-26 12:01:46.836812+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'by reference', 'body_a8675a82c1821f4019a8e11d20bbfe60', 'job_01a217bbb4e0ea69818c1ac4fa7850d7', '2026-11-26 12:01:47.234908+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'all options', 'body_15f5cfc86bd87fe8f51560eec3441de3', 'job_01a217bbb5fcea862a6e5d03118d025c', '2026-11-26 12:01:47.532786+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'figure 3', 'body_64e86f9979674e6119c674197340ab25', 'job_01a217bbb730d169883df3ef02391e82', '2026-11-26 12:01:47.827952+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'sweep', 'sweep_1397ef7ff1f627743379a4963aeb1b6c', 'swp_01a217bbb847d95b3f4f468c49989dcf', '2026-11-26 12:01:48.114083+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'what-if', 'what_if_1ec6033537d0ad4e9895a5d86da97ce9', 'swp_01a217bbbb07d1c1abcf8ed0079c2a8e', '2026-11-26 12:01:48.813113+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'replan', 'replan_93efbdea57237f2a79573b856bc82701', 'rpl_01a217bbbc83b09ed41461ac6ad0f714', '2026-11-26 12:01:49.193009+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'master_worker, queued', 'body_61db121c10ac517d769a2b5115686416', 'job_01a217bbdb62dfbc662ecf47c8508790', '2026-11-26 12:01:57.10086+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'task_graph, queued', 'body_3599fa4b7e235cf20eb3d19ce3324926', 'job_01a217bbdbac8cbe069d513ebe92f6dc', '2026-11-26 12:01:57.175879+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'mono_allocation, queued', 'body_34d6a79c3d92cd032ba569437ecb8646', 'job_01a217bbdbe93941aba62b63893e0e48', '2026-11-26 12:01:57.227776+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'collective, queued', 'body_209d2fd13417d53a932b497e83263c30', 'job_01a217bbdc0f4cfbcc730f5a81af9125', '2026-11-26 12:01:57.265442+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'divisible_chain, queued', 'body_17446ff708feb27bc6ac88d84709cb7c', 'job_01a217bbdc33e2cbcd1a433d174bad72', '2026-11-26 12:01:57.302869+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'divisible_star, queued', 'body_63f21f7981b6372508c37d4131497bed', 'job_01a217bbdc779d52074a43b5ea7b9782', '2026-11-26 12:01:57.37211+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'cell, queued', 'body_0ba6cecb9a057d7eb8bdfee6ed460e42', 'job_01a217bbdcb26af4bcbe93dc882e3df8', '2026-11-26 12:01:57.428737+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'bag_of_tasks, queued', 'body_84ec9a5a9e846aea14439e04c614e0a6', 'job_01a217bbdcdb2506f129df422e4997c9', '2026-11-26 12:01:57.469294+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'replicated_workflow, queued', 'body_0fff4a5748567189b98363f0e245dea6', 'job_01a217bbdd0aa5015094d0ff8b084f0f', '2026-11-26 12:01:57.520082+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'dataflow, queued', 'body_8566f6c012b7e9aa05bfbcc103c46871', 'job_01a217bbdd30e09b2360c574b00abe83', '2026-11-26 12:01:57.555022+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'sweep, queued', 'sweep_9bc5801108cdb65a2e3f247b72a18950', 'swp_01a217bbdd59b5c2d715af1f479e96a9', '2026-11-26 12:01:57.596992+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'what-if, queued', 'what_if_1789f9eb80d871bee5021ab11a37be2e', 'swp_01a217bbdeb1a873a16f8322038127e5', '2026-11-26 12:01:57.939303+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'replan, queued', 'replan_a0c7a2f2740903b0acf1b4dfebf1d55e', 'rpl_01a217bbdef8a29cbdd884c39a456694', '2026-11-26 12:01:58.012007+00');

INSERT INTO public.job_events VALUES ('local', 'job_01a217bb81591525aaa68bd53ef9031d', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:34.158131+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bb81591525aaa68bd53ef9031d', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:01:35.832693+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bb81591525aaa68bd53ef9031d', 3, 'progress', '{"phase":"building","elapsed":0.0}', '2026-11-26 12:01:39.175922+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bb81591525aaa68bd53ef9031d', 4, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:39.199782+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bb81591525aaa68bd53ef9031d', 5, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:39.203875+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bb9635b66d76dae354a9ead79f', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:39.405721+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bb9635b66d76dae354a9ead79f', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:01:39.461813+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bb9635b66d76dae354a9ead79f', 3, 'progress', '{"phase":"building","elapsed":0.0}', '2026-11-26 12:01:42.213096+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bb9635b66d76dae354a9ead79f', 4, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:42.351911+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bb9635b66d76dae354a9ead79f', 5, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:42.365568+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bba2c58dc4e87dd20094dab85e', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:42.639333+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bba2c58dc4e87dd20094dab85e', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:01:42.74558+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bba2c58dc4e87dd20094dab85e', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:43.579936+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bba2c58dc4e87dd20094dab85e', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:43.581261+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bba71965bba7039e6f89569292', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:43.750085+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bba71965bba7039e6f89569292', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:01:43.843903+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bba71965bba7039e6f89569292', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:44.695648+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bba71965bba7039e6f89569292', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:44.700603+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbabb165765ed8afcfb49fe7f5', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:44.88737+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbabb165765ed8afcfb49fe7f5', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:01:44.928851+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbabb165765ed8afcfb49fe7f5', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:45.071238+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbabb165765ed8afcfb49fe7f5', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:45.074664+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbacc11ea48808703520f73efc', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:45.181693+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbacc11ea48808703520f73efc', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:01:45.271883+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbacc11ea48808703520f73efc', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:45.537557+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbacc11ea48808703520f73efc', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:45.544244+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbaeb0d9409d0222efe57a8482', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:45.658007+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbaeb0d9409d0222efe57a8482', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:01:45.739804+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbaeb0d9409d0222efe57a8482', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:45.886008+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbaeb0d9409d0222efe57a8482', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:45.887877+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb074c69f8f76cd6b94dea477', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:46.105185+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb074c69f8f76cd6b94dea477', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:01:46.155978+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb074c69f8f76cd6b94dea477', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:46.324652+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb074c69f8f76cd6b94dea477', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:46.328329+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb2350e1832e4b1ab7a244dc5', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:46.564781+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb2350e1832e4b1ab7a244dc5', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:01:46.624103+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb2350e1832e4b1ab7a244dc5', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:46.779072+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb2350e1832e4b1ab7a244dc5', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:46.780098+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb350711a284a3447d3ca8ca6', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:46.863675+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb350711a284a3447d3ca8ca6', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:01:46.904916+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb350711a284a3447d3ca8ca6', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:47.008586+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb350711a284a3447d3ca8ca6', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:47.010496+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb4e0ea69818c1ac4fa7850d7', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:47.261991+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb4e0ea69818c1ac4fa7850d7', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:01:47.287575+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb4e0ea69818c1ac4fa7850d7', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:47.343661+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb4e0ea69818c1ac4fa7850d7', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:47.344092+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb5fcea862a6e5d03118d025c', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:47.54534+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb5fcea862a6e5d03118d025c', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:01:47.591825+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb5fcea862a6e5d03118d025c', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:47.64667+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb5fcea862a6e5d03118d025c', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:47.65983+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb730d169883df3ef02391e82', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:47.836376+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb730d169883df3ef02391e82', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:01:47.888734+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb730d169883df3ef02391e82', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:47.947189+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb730d169883df3ef02391e82', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:47.947969+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb8960f321426d3868d8cd476', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:48.210444+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb896baf5a8c22fc4516ed9a4', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:48.210586+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb896be4dede48ac4978f0a31', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:48.210622+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb896bfc8905ffe0bdb874cc5', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:48.210648+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb8960f321426d3868d8cd476', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:01:48.276664+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb8960f321426d3868d8cd476', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:48.332793+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb8960f321426d3868d8cd476', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:48.342613+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb896baf5a8c22fc4516ed9a4', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:01:48.384727+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb896baf5a8c22fc4516ed9a4', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:48.411403+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb896baf5a8c22fc4516ed9a4', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:48.416293+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb896be4dede48ac4978f0a31', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:01:48.444663+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb896be4dede48ac4978f0a31', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:48.467271+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb896be4dede48ac4978f0a31', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:48.475765+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb896bfc8905ffe0bdb874cc5', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:01:48.500843+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb896bfc8905ffe0bdb874cc5', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:48.51951+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbb896bfc8905ffe0bdb874cc5', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:48.527763+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbbb080b2e71d5c33c29f82751', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:01:48.915846+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbbb080b2e71d5c33c29f82751', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:48.962325+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbbb080b2e71d5c33c29f82751', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:48.963818+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbbb0812ddc0fc7f29431f4155', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:01:48.998049+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbbb0812ddc0fc7f29431f4155', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:49.047094+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbbb0812ddc0fc7f29431f4155', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:49.047725+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbbc7a10006fdd9f70b0d5ae0f', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:01:49.268565+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbbc7a10006fdd9f70b0d5ae0f', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:49.339878+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbbc7a10006fdd9f70b0d5ae0f', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:01:49.34078+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbbb080b2e71d5c33c29f82751', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:48.835861+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbbb0812ddc0fc7f29431f4155', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:48.836071+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbbc7a10006fdd9f70b0d5ae0f', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:49.20584+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbdb62dfbc662ecf47c8508790', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:57.12928+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbdbac8cbe069d513ebe92f6dc', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:57.181227+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbdbe93941aba62b63893e0e48', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:57.234057+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbdc0f4cfbcc730f5a81af9125', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:57.275462+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbdc33e2cbcd1a433d174bad72', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:57.319259+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbdc779d52074a43b5ea7b9782', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:57.384696+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbdcb26af4bcbe93dc882e3df8', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:57.443699+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbdcdb2506f129df422e4997c9', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:57.483027+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbdd0aa5015094d0ff8b084f0f', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:57.526415+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbdd30e09b2360c574b00abe83', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:57.570417+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbde4b3983d9bde986022c5ce9', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:57.84843+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbde4c0249b659f734971ea577', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:57.848538+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbdeb1d4e5c8aa3b774ed5db83', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:57.949065+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bbdef139d867c0c041e0141268', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:01:58.022151+00');

INSERT INTO public.job_instances VALUES ('local', 'job_01a217bb81591525aaa68bd53ef9031d', '\x7801ad52d14ec3300cfc95c9cf05159800f52bd05ed154659ddb594d93c84934a0eabf6317a14d15a069e22d71eecee78b4708ec771607a846e8c9eda182c1c4845c1f3df7c85040b026b59e678833030a64b3b9593f3f95c5aaa52e33ae1e14c6bec1183d47a85e4720957ab99387ec28d58966e25d298578a4d41ca06a8d8d5880c8a36bde055ec2547c33ef174cbd5f44542fe72d2f26ae1744f5fe57c7ad5827d77f8d1b7de646a399474e863b4c7a5b8ea1a2fb1c2cbec96b9bad95fb807b32129a0a2eb2f84d7639e4d5b2eaefe4f6a708ae72abfefe47564239cb877d4ea8896f27a9cf8b7aca3cf6bac5bab752d351c8859cea481ffa313aa9b0cf2aba6e103c271104efb0d6b3a0b409b94e8a2d234a61c074f0bacf2627af241f127927b41174b16b4b03c9773f96b7a5a029d49d09029f1b58b343abd069fa04993512ba');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bb9635b66d76dae354a9ead79f', '\x7801b554d96ec23010fc15b4cfa10d578f7c0542bc552832c109db24b6653bea11e5dfbb6bae120915a9f01632a3617676272d18abd795ac2169a144b58104bc70655a5861b61081a984cfb50db812b5247cb1184e5f9ee3689063d1583978659ad599744e5b07c95b0bc83af31101ee037db6852417959311909a54d917a13174d18138be9638b99638bd9638fb83b822cfa8cadd584e3736e308c2685ed8427afec5fe1b853ef51812e2c1378da9e427a10eebf014412d3728281fd6ece570499907be9532bb3c79e684eea3cc91de4a99e7bf8fe773e57f7aa68dfe5aaed58d977c31ab2e02614c8599f0a815776cdf21aa54397cd7a8c27c6e7f5fa1364bbe1e3e245268f9d2121841772ccb32acf1088ffb7098eb084ffa30affd243e2598f5e6b3f0d07534488e5530dfc2f12877960ee71e1c38fce6228c1ec7a1c797a8ece622f5ec2097a1b27bd59ee6d9ae7a44ced868eb292dd04aa6fc4c7fca3b4055d0cbdc4a492f6ae9b79a3f4ba2f19af4411bde49089903492bac91dafc143fc4c4469316c2109dbf5354d7b5ac98da753fc60697d8');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bba2c58dc4e87dd20094dab85e', '\x7801ad54c16edb300cfd1543e7a073b2ad187cdca5a77d4111048a2d2744245190e8b85de07f1fe9c84ad70c680fbb49d6e3e323f9e88b0a11f7d638d55cd4097ca71ae5d0e34e5b8bad2640af562a584d3dc619e4b5330cd255cb87a82bedbb8a46ac9289671313a3070f94848f6086cab74e93e6a85f3ff93c623cf1f9a9b718d4c4ec115b93127270f37c51201aaee40c4e23507b544daf6d322bc5428c6f5f195173680627c76a051b8c91e0f527e3ac8e07f3266ef341dc96f3833f5d65261c622b9d285249e888bf2c7af6dc9b113a62f9b3a66e08d6bcf0a51f66bdce74c05d7916de777515f685ab902fa2ff07f9bdf47fb27f91c67c563c17f3a6ae8803990f1bb6643dcfedc8fddb4e5b36870ec14236225b2abbaf47b6e7588d474d95c333675829d2298f263b28d01065bc62c3d98fb9dc467d5553318fb670108f67573ede6cd519322ddd9e7edc9e28eaf6747bf9a6262ebb077b5f6a11b19863c997e0b7b8e7fb4c5ac6bdbc9671171119cfa9d8f6055f9e4bc0222de3377fe35b7d27e85dc09a6be1be078cb2c4ca0d96402e5cad0c13fc410c0c2fbc69575394e9288f5efaed0c1d51f650c2785280823441f660c35b3a2f69bd52e01369cfabaf9a755dd79c1483fc70e659c9d076161cf0423dd60f0c771076071d9857569f37666fac40a7e90fa3de89c4');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bba71965bba7039e6f89569292', '\x7801ad53d14ec3300cfc95c9cf05ba3101ea574c7b455395655e672d4da2c40546d57fc72e0855688881788be3d3f97cb67b88296c1db650f57024bf830a6c700e2dd3134201d119de8734e6bd6951f2ebf5d5f2e17e51ccf6d47409670b85a56031e79032548f3d90f264f9cfcfc4f600d5deb88c0508197a7b92640943f1813317e2b617e256e5a5c0f90fc08d28267f7cef29872e59ed5ffb62931a6409547ce7896ba6d11ca5dc75d1e18b22a91d5f05b4b82323d628e3170fcef36ab3ffc4ab123ff58ee64c891737b77f97ac2abfa75efe1fb5da3a55fd6b6a317e3283143a461deb662820444c8629789d9835cc98a45a0c890501c163ad6ff93a3329e580d1d3d51ca446a6575d11956b433c916f249a1c87aae043d0f3301d07390229afb585a807dda1da514bb25977e57529688a7563a2c0f5606477b6e8143a0c6f5ec62cf6');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bbabb165765ed8afcfb49fe7f5', '\x7801bd52cb52c3300cfc958ece1d0885e1d06fe8813bd3f1288eda8a3ab6b1951426d37f474a79f4c0850b4759abd5ee5a13e492da403dac273872ec600d1d8f5c591f9d3f204758420e28bb546650c49e1424a7b4a0d701c342093cd59a4a35e44fb17e9e808defe94e1b436471c2f3ecfded83bed4138b3fc07a87a1d212740545ffaef806cecbafd1d59f47b74ac5f158c1f6d734146f72670d82654f6295d1b618bb1377a212c01476430ef4a6c56e0841eb9e3a466531c26b6d5a5fb54a1a846cd9f6acb884dd65f16c7c63b43ef5bd9af7289ca21b5318e60c3e5b79905f1a1cab60083d4551bad5120a05c24aae5321aab051de13f1fe60668ca96622db3c9dbfa3db98c7ff5eaed9e0881cb0e5c0a29f39692a3915b301550a7b712992b3279597da17f2c2a379eaf14835a39d9b661acdcd9d252d87644714b25e05a46c299a51b05b72817bd60c1e9b9b46b19cdd1eb382ed82f4d35a0a974c3e00ad70f399');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bbacc11ea48808703520f73efc', '\x7801a552cb6a03310cfc95a273289b167ad87f28f45e8a71769544c46b195bce8365ffbdd2369490a625d0e348e39166ac1152e655c001da1176147b68a1a73d15d2a22be2332c20052f6bce3327fa019523db8cf870e0bcc35c8c92b9c3525841fb3e0299ceabd6cb81a4db42bbf6a1e00254086377d26603d3e2cc7b5b2ab1461227348b3fdffbf0e9eaa1e1bb26da84cb89b6c15f0f3f74758abb2f73856bee2c0433a8096d5014fc70619a7d4d018fda5dd710140fd893d7844cef2a8a5f546f59fcbfeab57fc3f7aaeaee1736325741cbe563d2ba2f82f99c4c60af573042c7c3a059775e88a3db73a8f3275b3cda4a556e34324acd1764bb16489c452741914c9d388ee8aca43a673ae7deaeb1051f4f56e51a7b854b5bece8be61d39803d9b21da9afc226cec9d653f60876852ed040faad2fcda3b129b98d4f4a9f17097e85c1a8d3f409f07d0bb6');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bbaeb0d9409d0222efe57a8482', '\x7801ad92db6e83300c865f65f2355a09ed50c7ab4c154a212b1e3929c9546988779f0da4d334b557e32afcf9fdf9104fe0833b6b65a0996044db43039dd21a0a30b21bd02abef05e45684401713954059ca5edafd8a781fcd54b993f0ad3ae93ba8dc9050a85aaaec4e140726f648b36b9961084aa57857e5ad2880fcd712e407aafb193099de5bc561a86bca34e2a3c51ce914849c691aa799b00b9da48118965346a0581d82d156571c948e252278941490e14f5fec8955d0326ce52d2d92b354253cec506d7ee9a294b8df0ba134baf595dd9fb1f758333ec2f58dcc0035e86ccf85ff28743fb9b2c1e5697c7905b3f153c6f7e6f9a70749fa1e3e1dca62cc3452512d6c944fce2dba378ad807bbbefdf1abe1bb04d3ae3b72eeedaf3fc1ef94fb45046a5c1f16b1bd49e4a04e779b9a8bb69dd188d86d6a7a9cbe792dce8db8bf4642fd9abe55969b6cef33705f5f066');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bbb074c69f8f76cd6b94dea477', '\x78018d924d4ec3400c85efe2750569172c720a16dda12a9a244e6b65fe34e3510b51ee8e9d36a220105d3af9fcfc9e3d13c4145a8b0eea0946f23dd4d09a631386864d1e336c205ac343480b217087398794a17e9b80147fad04ca67e2ee04f5606cc60d480bfaee5dfe56306f5670ab6044d4aeedc35dbbfbae7f461d643479b1adee7228a9c3d5219b7444d64a6db4c6f767ea592c83d67d89162f520cc55aa91df6644445057f64f94b567d7e93d5848feaca9cbb912914460d7198e5bbc98c698d21c7b9dbfd5ebdc7442111ebb6b5ecacc979e996bdfb58b8c9f4a16b58567e0e69bc817a79d3925d5b6799763bd55ec33cac2bec2aab997fd19578312416e7e08a65d24248877c0afa1a4ce120755b8641a3eee49d18271751a7cfd7a712c5a79292f4247dd42d7c37a2aa6eaf0e9ab67c7dc098c906bf48ecf41942884cc10b3e0193c3c69253cd97eaa9122f149ba389822fac352d5a45e7f9130ffefbb8');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bbb2350e1832e4b1ab7a244dc5', '\x780195525d6f83300cfc2f7eae26daee43e257f47daa500aa68d1a709484d10df1df77a6a36b374ddb78c2c9f9ee7cf1403ec8ce7143f94047db56945360ef6c691257452fe1583be96941de99544b9880e82939460991f2e781ac766d9600c5dea6f240796d5ce405a185dbf215b7198d8b19b8fa2b70fd0b700b05db1ecf26a274a1e4d9483261cf492b55eb5a9b8a641bbd56d2aaf38e4f28eace39d40d57d6601425fc62f9275aa5b9a67df8072d64ae148374897586edb820e3cfd95b69f54592891fe34d19073615747412340c9a794e2b1a2fd9d6d6250e379015204f38d9acf1730f2cd4019b1407ba8c3753cfb95d98a27dd3d89634aa3f2f21419a5a29e48583331ed40d5cdb763fedc2ec185b04afd0bad915750c9acfc1d48a3afe0ed47783e7adfa6d381d4497cc7449701e995165aa7c2a82f470b4ccae3e18159f90e19492c65538db58ecc36376a76dd6177b583fef25de7cc74ea1e3f80e6ceaf829');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bbb350711a284a3447d3ca8ca6', '\x7801558f4b6ec3300c44efc2b551385e74e1ab144140cbac2d44225559425008ba7b29e58374c921e771a64088b238f23017b85a5e618615137e3bb9c1005bc4b0b715a3275da59ba88a26493c60fe2a609b01554bd6934a70823a3ce4e54d9ea09e07303b3293bb5b0fc9d13468b763dc28e9d04c1a69cd265961982775091fd987fb7cd257722556c6d83ebd28fddb93d290ef1475fda328f54999eab9f6adc931129b5f0d71d04f264e169d723ca55d7acd9c44db81f4281aa0f4d61767bdd5e89fe3c7a8d7365c360c0a19dbadc3a5f72db5fe01147d765a');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bbb4e0ea69818c1ac4fa7850d7', '\x7801ad52d14ec3300cfc95c9cf05159800f52bd05ed15465addb594b93287134a0eabf6317a14d15a069e22d71eecee78b4708d1ef2c0e508d7020d7420583498cb13efa78c00805046bb8f371863833a040369b9bf5f35359ac3aea73c4d583c2a26f30251f1354af23904abddcc94376c435d34cbc2ba5908ec4cd1eaaced88405883cbae65de0254cc537f37ec1d4fb4544f572def262e27a4154ef7f75dc8a757287af7193cfb1d168e691d9c41e596fcb3154b4cdc1e29bbc76d95ab90fd89291d0547091c56fb2cb21af96557f27b73f4570955bf5f73fb212ca593ed167464d7c3b497d5ed453e6e9a05bac7b2b351d855cc85c27fad08fd149857d56d17583e0238b207887b59e05a54dc8f552ec22a21406e4bdd77d3699bd927c60f24e6823e862d7960692ef7e2c6f4b4153a87b13043e37b06687768626ceadaeb9b72d4cd327a74e16f4');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bbb5fcea862a6e5d03118d025c', '\x7801ad535d6bc3300cfc2b45cfdd96ac858dfc8ad1d7518c9b2aa988631b7fd06e21ff7d52c6da12b651c6de6259773a9d2f03f8e076067ba806e8c8eea1825ec784411d5de830c012bcd1a971616ab1ba476ed96ceed6cf4fc572d1509b032e56d2165c8d31ba10a17a1d8084eaa5e48b6c29a94413b02cb8108f94ea03548d361197c0f468eb376e2f605c7e211f674839df04142dd7236f06ae6740d1fedbc42d4b27db7dae1b5d0eb55833ad9c746831c969be8690eeb33778e2db261bc3e71ef7a4d934219c79f113ed7cc93fd38abe8bdaef2cf8935ad1f73fb46cca953fc1e584e2f876e4fa14d48be7b193144b6eb926ab90f539a948eff230b229a3af2a1237f02e2426046751c93777c910b22d179b80c8851ed3c1499e754e4e40ce277296610348b095a19ef8b957c57dc1dde455ab3db7970f652181eff549790c3471e049d732e5787006554346f649219fff04920278cd7fd03910cab8285561140146efd0c8fc71fc00654c2ea1');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bbb730d169883df3ef02391e82', '\x7801ad52d14ec3300cfc95c9cf05159800f52bd05ed154659ddb594d93c84934a0eabf6317a14d15a069e22d71eecee78b4708ec771607a846e8c9eda182c1c4845c1f3df7c85040b026b59e678833030a64b3b9593f3f95c5aaa52e33ae1e14c6bec1183d47a85e4720957ab99387ec28d58966e25d298578a4d41ca06a8d8d5880c8a36bde055ec2547c33ef174cbd5f44542fe72d2f26ae1744f5fe57c7ad5827d77f8d1b7de646a399474e863b4c7a5b8ea1a2fb1c2cbec96b9bad95fb807b32129a0a2eb2f84d7639e4d5b2eaefe4f6a708ae72abfefe47564239cb877d4ea8896f27a9cf8b7aca3cf6bac5bab752d351c8859cea481ffa313aa9b0cf2aba6e103c271104efb0d6b3a0b409b94e8a2d234a61c074f0bacf2627af241f127927b41174b16b4b03c9773f96b7a5a029d49d09029f1b58b343abd069fa04993512ba');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bbbc7a10006fdd9f70b0d5ae0f', '\x7801ad525d6bc3300cfc2b45cfd948b7b28dfc8ad1d7528c9b2aa988631b7fd06d21ff7d52c66808db28656fb67c773a9d35800fee60b0876a808eec112ae8754c18d4d9850e0314e08d4e8d0b13c4ea1e19b2ddde6d5e9ecb62d5509b03ae1e05165c8d31ba10a1da0d4022f5bae6876c29a94413715d72219e29d527a81a6d2216c0f268eb7786973016dfcc870573732d51bccc5b8ad0551da5c39c28deff22eed93ad9ee6bdce872a8259a69e4a4438b496ecb3144f498bdc1377e6db2317ceff1489a4313c14516bfc92e87bc5956fc5ddcfe14c14d6ec5dfffc87228b37c82cb0925f1fdc8f569512f99c74eb658f6966b320a599f938af4211f2393327b56917503ef4262417016959c19254dc8b65c6c0222177a4c2727fbac737242723e91b34c1b40165b19ea89bffba9bc2f194d5eb5da337c6a60f4018d40c7f1139ebd12bc');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bbdb62dfbc662ecf47c8508790', '\x7801ad53db6e83300cfd95cacf6ca25bb54d7cc5d4d7a94229186a11923417751be2df67334d45eca2aada1b71ce393e3e3103386ff71a7b2806e8c8d45040af42445f9eacefd043064eabd8583f418cea9121dbedcde6e931cf560db5c9e3ea5e60de561882f5018a970148a49ed77c910cc532d2445ce75c08278ad5018a46e98019b03c9aea8de1398cd917f36ec194f34544f1326f793171b3208af7bf3aeed83a99ee73dc6093af249a69e4a87c8b514ecb3144b44e4ee32bdf36496b3ef75893e2d0447091c56fb2cb21af96157f67b73f4570955bf1f73fb21cca2c1f6f5344497c37727d5ad473e6a1932d96bde59a8c42c6a558067a97879149993dabc8ba81b33eb2205883a57c334a9a9069b9d878442ef4180f56f659a56885645d246b9836802c76a9a9277eee87fc366734b9b2558ee15303adf6a827e83161c2ef7fd8387e00c0511b8a');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bbdbac8cbe069d513ebe92f6dc', '\x7801b554db4ec3300cfd15e4e702dd855bbf629af686a62a746e67da262149c5a5eabf63873158a58949c05b9a73747a7c6ca707ebcc43832d643dd4a437904150bece2ba7ec1612b08d0aa57111d7aa45c697cbf3f9ed4d9a9c9554750ecfee84e64c81de1be721bbef8144673161c03f5328b69095aaf19800aba12e5e194d61483e89d35389b35389f35389573f10d7ec9974fd5196379d2b2482585a50aec2205fe2bfd314f2403121297cd3d9065f18f5d4c653022d6e48713ea239cae198b214fc57cae2f2cbb324f43fca12e95f294bfdffe3f950f9979eb9a3df9aeb4c175026663d24a0ac6da850818c961ddbed10af547dfe6848c7fafc6ebee2daac647a649058a19749cb6002c37e5956b18d7b783a86635d7b783686a5ed5fe27386456f71150fc3c08594d444f33dec87f2c3d2e7b847079ede64112697d3b8c7c7a8e2e628f5602057716577aa23cd835e8d8892b1352e705a6034e672e69f4a0f48577c593a44be68316c8d3c4baa0b86f5c158e9490c5902c91b6a89b7f93abd48994d36af9465babc53bcae0fd844ea53871d8e5ec961780786c79f47');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bbdbe93941aba62b63893e0e48', '\x7801ad54418edb300cfc8aa173d03a69bb287ceca5a7be6011048a2d2744245195e878dbc07f2fa9d8ca3629b07be84db286c32139f44585887b6b9c6a2eea04be538d72e871a7adc55613a0572b15aca61e630679ed0c8374d5f221ea4afbaea211ab64e2d9c4c4e8c10325e123c850f9d669d21cf5e31b9f478c273e7fef2d0635317bc4d6a4841cdc3c5f1488862b3983d308d41e55d36b9bcc4ab110e3db5f8ca839740627c76a051b8c91e0f53be3ac8e07f32a6ef346dc96f3833f5d65261c622b9d285249e888bf2c7af6dc9b113a62f9595337046b5ef8d20f59af331d70579e85f7aeaec2be7015f245f4ff207f94fe4ff68fd298f78ae7625ed5157120f366c396ace7dc8eb97fdb69cbe6d02158988dc8969addd723db73acc6a3a6cae19933ac14e9348f667650a021ca78c586d98f73b98dfaa4a6621e6de1201e9f5df974b35567c8b4747bfa7a7ba2a8dbd3ede5b39ab8ec1eec63a945c4628e255f82dfe29e2f99b48c7b792de32e22663ca762db177c792e018bb419bff91bdfea074177016bae85fb1e30ca122b375802b970b5324cf0073130bcf0a65d4d51a6a33c7ae9b7337444d94309e349010ad204d9830d6f695ed27aa5c027d29e575f35ebbaae392906f9e1e459c9d076161cf0423dd51f18ee20ec0e3a30afac3e6fccded80cfd399821effdfd8f6b9afe001a21934d');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bbdc0f4cfbcc730f5a81af9125', '\x7801ad53db4ec3300cfd95c9cf05ba3101ea574c7b455395655e672d4db25c8051f5dfb10b42d534c4407b8be3a3e3e363bb031fdcda600b55077bb21ba8403b6350277a4128c01b95b62e0c79ab5ae4fc7279337f7a9c15932d3539e06426b0e034c6e84284eab903129ec8fff19592de41b5552662014c86561f3959425f7ce1d485b8f585b845792970fa0b70c58ac9ee3f7b8a2e072dfd4b5f4985061307223e5b4a75a2c11ca1dc646ff04d90d40eaf025adc90626b84f1c483f3bcd2ec957845e2b7dec19c31f1eceefeff9245e5cfd4f3eb518bad63d57fa666e34733082e2794b1aefa029cc7a012392b13d32a250c5ccdbb901801ce622d6ffe3a3329e180c1d3c514b846a477591191ab9d3f926d381a1d87a8483b27e7a172727c045c5e6a335107b243b5a19678b31ecadb92d1e4eb467986cbc1f0eeacd10cd043c68c27d7daf71f5a64346b');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bbdc33e2cbcd1a433d174bad72', '\x7801bd52cb6e02310cfc15e4336a81563df00d1c7aafd0ca9b35e0924d42e240abd5fe7beded8b03975e7a743c1ecf4c3c40cab1f5d4c37a8023870ed6d0f1990beb63e30ec801e6903cca2ee60914b02705c925cee854d1cf94c05129311743fe16eb9701d8f89e97daa881a5119e661fee1ff5a55c58dc01d63bf485e6a02b28b877c52f609c7f8faefe3cba552a0ec702b6bfc49a9dc99d3408e63d895546db62e82edc894a0053d8d5e4e94d8b5df55eeb9e3a466531c26b6d5a5fb572ac42b66c3b2a2e62f7b97832be315a17fb5ecd3b148ea139475fa70cbe5aa9ca8d068722e87d4f41946e35874c9eb050d3a91055b850de0bf1fe60668ca92422db3c8c3fd16dcce37f2fd76cf08cecb165cfa29f39682a2966b30145323b6962a0c69e545e6c5fc9099fcd538f472a09eddc34d3606e9696b41ca21d914f7a151093a56846c16ea9f1dcb366f0b4b85b289653b3c7a460bb20fdb496fc043d55aa74ebb2c7f103e2f7fd01');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bbdc779d52074a43b5ea7b9782', '\x7801a5535d6bc3300cfc2b43cf65a41bec21ff61b0f7518c9ba8ada96379b2dc0f42fffba4ac8cd275a3b0c793ce27dd451921332d230ed08eb00da98716fab00b2568d115f10c33c8d1cb8a78e2243fa07264c3880f7be22d72310a5387a59082f67d84603aaf5a2ffb20dd06da958f0567a04298baa3361b38cdcebcb7b9126b0ae2244ce2cff73e7cba7a68f8ae8936e172a26df0d7c385ae1ed2f6cb5ca1ca9d85600635a1358a821f2e4cb3af39e241bbab1aa3e201fbe03521d3bb8ae217d55b16ffaf7aeddff0bdaabafb850da62a68b92c4e5af74590cfc944f27a052374340c9a75e72550723b8a75fac8168fb672951b0d46a97c41b66b814c2c3a098a70e8c451426725d539d3897bbbc6167c3a5a956aea15ce6db183fb864d630e644376a4be0a9938655b4fd923d815ba1886a09ff5a5793476c86eedb3d2a745a25f629ca81f152bdef8674ea74f832d14d5');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bbdcb26af4bcbe93dc882e3df8', '\x7801ad93d16e83300c457f65f2335a09ed50cbaf54154a212b1e09c942aa4a43fcfbec403a4d53fb349ec28d7d6c5fcc04cedbb35606aa097a1c5aa8a0515a430646361d0e8a2f9c5323542283311e8a0cce72686fd8868ee28bb73c3d94a66d23753d06eb29158ab210bb1dc9ad91350ec1d6842054b928f45293467ca8f67306d2398d8d0c6807ae3b48c39077d441f917aad91329c8b1a76e8e1320773b524660198d5a402036b1a324c68a24c63e49f44a72a228b77beeece63170959cce4ea91eaa7cce56b8b6b744893dc26123e2ac495dd8db1f758533ec2f58dcc11d5ebac4f85ff287c5e137593ced2ed990463f65ec377f6f7278b457dfb0397797a5bfa840c2e2cc885f7cbb17870278b6c7f1ebc00f1356a7137e9de26178f2ef59fc8916caa8d059feda06b5a316c13a5e2e9a6e5a3646a3a1f5a9cafc35a76874f5453a0acf3956cbb3d231f4f3aaaeeafe6fccf337407af551');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bbdcdb2506f129df422e4997c9', '\x78018d53c14ec3300cfd179f27e876e0d0afe0b01b4255d2ba9bd5b40989a30155ff1d3b5bc58640ece8f4bde7f76c778610bd7538423dc3405307355873687cdfb04943820d0467b8f7b12004dc624a3e26a85f6620853f57024a27e2f608756f5cc20d0805a7f643be56b06c56e05681015159dbbb59bb6bd63fad5ea5354d625bdd259f638bab4336f180ac95dab066ea4ed4b15806adbb1c1cbe4bd167e7a41eb123232a2af823cb5fb2eaf3465613deab2b7dae5a469f1935c4eb22ef2631c635862ce76af67bf51e22f948acd3d6b27526a5c296b94f217393e853c750467ef271b80075f3c6925ba98b74bbac6aaf61eed615ec2aab997fd19578c14716e73066c7a4852047e4a3d76b3099bdd436f7bd46ddc99d985136a24e1fcfa712c4a72225e95178d4167c3ba0aa6ecf0e1a9bbf1f3024727e2a123b3d43f081c94f029f8169c4c6d1a89a4fd543255e28340713045eb0ce587405fa96319793bdf92f96e50b08e003f5');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bbdd0aa5015094d0ff8b084f0f', '\x78019553d96e833010fc977d4615497a487c45deab0839b024560c767d94b4887fef2c2969d2436d7962cdecccec7819c879bb35dc5231d041773515e4d9195da9c875d95b7f688ced292367546cac9f80e8a93804eb03158f0369e95a2f000abd8ed59e8a4699c019a185bbea055f731ab319b8fc2b70f50b700305dd1d4e26824dbee2d948547ec7512a514b9d8e65d4ad7c16d23a39c347144d320675cbb5561845083f59fe8956682e69effe410b990b456f536499613366a4dc297b6d3bb991a8c2fb7853c69e550d1d99040d83645ed092c673b68d3691fd156409c8034ed62bbcdc020b75c026c581cee3cdd4736e67a6a05f25b6058de2cf591f214d9d2ded337ba31ca85bb8d6dd6eda85d931b6085ea175b52be218341f83891571fc1528f706cf1bf1db72dc5b593295a2c5796046958bf2b1f4b687a3457ef1c0a87511194e29495ca5d1adc63edce737d2a65db983f5d35ee2ceb76c26e853e224d4dffe03e3f80625f3037a');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bbdd30e09b2360c574b00abe83', '\x78015590c18ec3200c44ffc5e76895e6b087fccaaaaa1ce24d5001b3c4a8aa10ffbe866e57ed91b1e779860231f1e2c8c35ce06ac30a33ac28f8edf806036c09e3de46013de9486eac2a1ae174c0fc55c03603aa26d6934a70823afcc9cb8b3c413d0f60760c81dcc37a704ea641bb1dd346a28f66d2486b366239c03ca98bc3917d7cbc4f7a8aaf149431b64bff947eed4969c8578abade284a7d52a67aae7d6a724a14cc5d431cf493298845a71c4fb273af9985b51d708fa2014a6f7d71d65b8dfe397e8cba6de365c3a890b1ed3a5c7adf024accf4f6bdb5fe0219d37cf7');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bbdef139d867c0c041e0141268', '\x78018d51cb6ac3400cfc95a0b35b9c36b4c55f51720dc16c1cd9115eaf967d90b6c6ff5ec9a538985272b3b433a319cf083ef0c9e200d5083db9335430989830d4570e3d0628c05b935a0e33c4990105b2df3fecde5ecb62d35297036e9e1516b8c1183944a80e23904abd6fe5213b4a75a299b82d6511af949a0b54adb1110b107974cda7c04b988a5fe6d38aa9f35dc4dd8aa816fe231ec501b9fec775e41c1a4d383b4f267498745abb51d173f6163fe4b5cdd6ca3ce0998c6457c155a445568516d9bfbcde2b2b676e2e06ce0935c37192fddce09222f65aaf162a3bbd49cee75447fad2a86a49d8371bed013c872482c00e6bfd16941e21d7c9b20d88b218305d588b3639b192d8276227b411b4f1dad240f2035fcac752d0e4ebce7881cf07ac39a155e8347d03d5becc2f');

INSERT INTO public.job_labels VALUES ('local', 'job_01a217bbb4e0ea69818c1ac4fa7850d7', 'study', 'old');
INSERT INTO public.job_labels VALUES ('local', 'job_01a217bbdb62dfbc662ecf47c8508790', 'queued', 'master_worker');
INSERT INTO public.job_labels VALUES ('local', 'job_01a217bbdbac8cbe069d513ebe92f6dc', 'queued', 'task_graph');
INSERT INTO public.job_labels VALUES ('local', 'job_01a217bbdbe93941aba62b63893e0e48', 'queued', 'mono_allocation');
INSERT INTO public.job_labels VALUES ('local', 'job_01a217bbdc0f4cfbcc730f5a81af9125', 'queued', 'collective');
INSERT INTO public.job_labels VALUES ('local', 'job_01a217bbdc33e2cbcd1a433d174bad72', 'queued', 'divisible_chain');
INSERT INTO public.job_labels VALUES ('local', 'job_01a217bbdc779d52074a43b5ea7b9782', 'queued', 'divisible_star');
INSERT INTO public.job_labels VALUES ('local', 'job_01a217bbdcb26af4bcbe93dc882e3df8', 'queued', 'cell');
INSERT INTO public.job_labels VALUES ('local', 'job_01a217bbdcdb2506f129df422e4997c9', 'queued', 'bag_of_tasks');
INSERT INTO public.job_labels VALUES ('local', 'job_01a217bbdd0aa5015094d0ff8b084f0f', 'queued', 'replicated_workflow');
INSERT INTO public.job_labels VALUES ('local', 'job_01a217bbdd30e09b2360c574b00abe83', 'queued', 'dataflow');

INSERT INTO public.job_results VALUES ('local', 'job_01a217bb81591525aaa68bd53ef9031d', 1, '\x78017d52cb8ec2300cfc979cab85a62dafafe81dad50484dc99236519af050c5bfefb820b1d20a6e763ce399713b8a93e91bb1119d1a2285ddc5851305910997a2761d61e27c349db278eb281e1d83ad67c4fe877434676046d1ab091b8fc1a5f6e85304e0ac6ce205329f9573f4cafbe0ae6233ffaa6475cfc4de25961e3f03334157a5a3d8c49008ac5679ece47d9a423407a3559c2cc49b6735eb774d52d6c41b203e184d036bd4f917f2c018639e86f036d0943e9f4981ddbd6b18dd276b3331387bc629a60e33787707701f6e908e02c40901d818e0fa484db2bc1ee56e99ef9b45b95ed2ba52a4178a0a954b299b929a72259b0ae62e2af4a66f21b8fd66edc8da5c3e8d4eb7a9f33f7ee554afc0ad8b57593e101c007170a9ed08f32968f6027e26a20a2d61206a89ee602697a67f7ca630dd4f14b31536bc67166f99f93f26abbc34cb0fcc52dc11183f4de44bf2e1efbfb3d1c847');
INSERT INTO public.job_results VALUES ('local', 'job_01a217bb9635b66d76dae354a9ead79f', 1, '\x78017553cb6ee3300cfc179d8d367e246df21539e456048622cbb6b6b224c874b681e17fdfa19ca2cd02b951a32139e448b3f834ae11074172fcacbb28432f32e127527ed0807d2033480b6cd0d47b662a6fa7c1d59d763a4a32de71c2e58f5664ae489985932995fae8a7ae0f1381709576e27a39621942f45fe290bf6c964c5cfcc402e667944ce82fa9481c284e1afc4e06d4d9a08ed2914c6b94a4d4966e813bd8503793b4866ea08468941eb9fab17a895ae92451e4af052e8fdbff205477be61be9baccdc4e8ed55c7f5843ba8f62d3aac7a30938e68af219ea581ae7add4c964520acb7fb5ce5edae68dfdba6dcabed6effae3679f1d6e4ad2e9b7c07057f6574c67568f871e6dec4bd3994d67acc85e532300b78a4b1b14d26b0f2ef3db265b89ec52947cb23aff65470c4c39d4a8e4a8e2a8e2a8109284a37b63aae455bc35a3f383d65a26f90d433948aa10ea0b19771edb864b378cc2999f09893a027394957f590937c48d0939cfb04bffb3084791eb59d179c9595e3987688112aa66dc5197807db5dcdabc3e4abb72dde94bf7bcb8f90c8e2412b5ee84a68cc48d2298cbe9e07338ef0eafb884b02c32824c01fbaff059cdea0237d11c4393c360defb4c844a383868f4edd6a840cae95af321a79b13fda146c8755c6d15dcdb2fc03879f244e');
INSERT INTO public.job_results VALUES ('local', 'job_01a217bba2c58dc4e87dd20094dab85e', 1, '\x78018d545d73e2300cfc2f7ea63d28475a78e81fe9dc641cc7497c75ec8c23d3320cfffd567112428ffbe029c86bedae24eb2cde8d2bc541b4def95c5aeb9524e39d58091f49f956e3cc77645a69116b35359ee19d0f54796b3c038b9f5a9139027a164e0e57a8093ed64d170980a3b491f36cbe65f827bb2ef84f71583f6eb22fbfcb4a143eb29ef3ff5f5a09fd2915890385a891a1961db8d660523a90a90c1c0dd2e8d4b10adbe56594d6d009902e18a57be6b332d4fa118ea13989dde3bc876f7b13ddbc0890385ff23517ad05c8dba30ee91fce60cf57204ab2605f07a8d070c50a01578d2ea365127ce69b5db6dfee54f6bc57bb75a5b7cffba74257c5f6fb8b2c8bea6907151f3238e36a10befd606e626efeec907ae80717b645658162334a76140318def0d9ea2005c0f05c3b0e0da638526a42e73834b8e71005a9de1791cb10727da503739e45655839e74d14535edced2435e968a01cabc759fb46b21ab141edae2992a059c6224352b8bacaba9fe0aa21c95e64186d4f1aeea702de2b15a19b479edd05ddfb18146b4d191e5ed30858e3de51633c043ecb061f0bf0edf4fc19773b4fffc03dbca6b4b7dcbbafdc49e83ca473d2adb8c060e189ac769abb7adf5365424f791aa5d463927d424f2dc648e399f41e433e0dd475f836dcd3f1cad4d2e585a999d3b06e17f8710287473333a461bc12ec161752a3ff8ecfd8b7c5ab77ea74f595a116b19ae7f89ec2529284c3e1899ff91dff2669423c0f4d5822e6819b204f63f9b1cff279a882b6f273dab02d4a2aebe92d7f68533784069c2fcbae8d2fbd343d49c78399764ea189a69d83a7ef8fd775c43b4c06d3f3488f0bcab411f518867c8c10fef66414f3898a976e5e9ce0bd376d67755e07ad4b5e90e352012c5d34601d3221b2e6d51e8c2cec92dcf5e89171ec245d59eccacbe517f7ed2205');
INSERT INTO public.job_results VALUES ('local', 'job_01a217bba71965bba7039e6f89569292', 1, '\x78019d52db6a1b3110fd173d9b74d78949e3afe87b0966563bde55234b421ad94916ff7bcec84ec09496d207812e67ce65348b797161345b63a3f76cc51dd9ac4cac62e381711d93b80379dc1d58e6a8c8bd8fa7a2a0e1d7b560bb98400d2e738e759a5315008ee4ab72f4dfd638514a39be9a6d77b739afcc10abca2e7f06ad0cbf9215b3955c19151325707560b29cc5ed9d2501fb62e42da98a4fbbb19277f20648cace72d1d77257b8055417a00971d48750bd5f9912fd91f3e58437188c7b505d8411803374183ed503e076e6b17a55c376c78f3df54fe3306cfa71bd7ee08eba6e78bcdff4dffba7fb874d0f1f27cac18509823f9f555b545bb73171267131342e12810ded71293435ccf27900e087a68ed94daec17128b1e61650b9325bc6bf65a5562cae8a7b6f9d47e21b22f5f4af44fd2d1158c9fb88aec3b54a2d0693c3faa35fc63fbd225a936f1f8fa6e2178d8e8c507941e972c6365328fb8be9c5ec9d76b5b98779154e24b3de6819615d73cd94afc180c18c0e2e7c197ad6b0574ffd8d278dfdff9eb4fa374f837abab4e8ef9e5adf26345de683b3bb81c27872a386334a8c0c89b22b3a093a94e70f52c02055');
INSERT INTO public.job_results VALUES ('local', 'job_01a217bbabb165765ed8afcfb49fe7f5', 1, '\x7801ad57db6ee23010fd9528cf88623b09d06fd8877d5fad909b38c4db60478e535a21fe7d67ec181c4a69a9fad6c673397366e6d81cd267a9aaf431ade48bece5532b3665c3a54a67a91e6ca97702ce7467e58eb7f06d276ca3d1bcedd0e2e99f28ad7c019b43aab8b3ddf167d1771c03bcf0764077ca32f6400b42e11bef3aa35fd3c7c57cb55e2e085bae689e5142183bced2273d2096c39d9eb354bcf2d2a68fd60c02c26c7907591790ad14c6ca5a96dc3a88f6ad433c6db7a906de4afb06269d91a5e831290083bf7a6de85caadef2b6dd0965c9dc8852408d58f58a3c10b6289cdb35631a1be7d94391b30f6d596cbba4376db3d8765d5cda9218309dd7ba6df51e6a4a9757004f8cd93dc6d927c613de621857504c6c631464b5becd718c8231168c5bcd2b32df37ba3d8d5c4e6906f4e309bd7a72ea38999fc6f63a693436c8697eca2ad5f384d0b86c4a4357db4bb349c5c56a6ce83bb3b8d6b1ed30df4a5738b16a68db59daebf64518ff1f9c4149ba86cefb8d801d1406160087179703cccb465483e308fedc8865b11205cbea252b6845722e16a56085286ab2147551037d7b6e94545b48f8e72fe6b698fb4f6a1b91b87d4d80f2aa4f6a6d12fc1612f48954c9be9165e33e6313fa64ab934aef95fbe2646696705525dc8804a4a61baca866e88781b6b0732ad1a612c619453bd9835b726a1ea60690109e2b703e6d6ef224e04424d226e30af72eb012afd6e715c0cedbc40535d0f6893fc076a45073341bb194799d042a7e13a0e93745d38e83e09412f4cf3a96a223c70030777003092dfa856e58762bacd40abe6459908ca80c8843a16f16220fddc670b00ddd3e8742699d848a817e291880ef1b6804c23ec74588917bfa48dc88799d04c4aebeda80fafa0a1859ba593eceee8881e0a31864edd7e6660ca0e4340088e332c6c8641c034deea9252b7c37ee8a718963e177fb668c4f6a01f5c47be4081d826b58c05482c2418fdc4840ed78d109778707e666e152b786abbe067998b0e585c34df7747a714421a01bcc4ba6dc70c061c88115bd47b0ce49b8e9c777c5b8d753047e6e3c8211cd1752c7c3155207388102c6c2ed783b3ff6e9defc21575c7af8f661fe9f6a016a00ee27b6201aeec04344bc9f8558006e53813b7e8d8a6bfb1220c4bb11209ca9f708ce6a763bff975bf109059fe6ff662b6ef140a2fd0e3c9cebf63ce073c13f04bfc7c38fe7ff291ea27e048d8a44e15cf6bd03f9d140bc23e20a00104959e1f3060472724184cb76b0f09881258af7c37b8090e2664fbc30a55730ef45f2651e046ef40a0a80fabc1d3828ae1590ff90d6702b6a7899014a788e0bb3197fdea0e01dcfaf8acd5eda66e3866780df2d5e0e9de9a6d7832971e301d3d6f01d82e1bdbba2ff1eff035a363c22');
INSERT INTO public.job_results VALUES ('local', 'job_01a217bbacc11ea48808703520f73efc', 1, '\x78019d55db6ea33014fc15e467d40de4de7f5829efd10a397012bc353632266d14e5df778e0ddb64dbae92be84609fcbcc9c0b67f1a24c259e45a58eaa533b4d45e7a513a9b0bd2f6d43b8b2ad578dd4386bc8d796ad4b6d3baa8abd750d9bee7e53e9d511c6676164706ae40b75ad34b83e4add739c69fe235be25db6adb36fe2397b5aadf2e93c5fcfb26cb9982d278b4b2a76b6673ce707bc52416fb2f4e2d9bb9e10e2205b649b205349ceabbd2aa50fd0fca9651cba2daa5e6ae54f30699d2aa9e3849beca9a1ae9307ca60348f5837f9f5e16c389c5e1faef810698dad3890e9b54e4567f5915c7cc31d08db3da246a090841c701188326698973555bd6674f85bd07a954f68b2a072369fcff6f96c5dce57cb7929a7552697ab3570bf4a67943920e1f617e7f69c7b2b7c4d499030a9adaeba04154ac6e05da24cf25aabb24e08004e0950817b07134725a17eb0f05dd24ae7d3449a2af1b5f489dde38972273baad12b3049399035940c7a0920f85beff73a731c552a34810fd83619706f72fe99b28b75154bb485f2b7178e7cef4c31dc47411df705c26410ab962eb03db3ae9101840b518259b0da3bf484b20637a142a9509e1a44e07897f41f5f46f5a9ef2296fc7fbed3af7ca71f7d411bc3445a19d47a7b163c6ce8dcd0ad140671003b8ca577d2747bc8147a68e41a2541901796ef27ab97b1a2da4a9ecef0005f83e85a37649061d46d94831518930f2963fe7c12513f0a20bf1f40d0f44b00e39a18006009b53de6f7468058ec28c020c6f7a88f6c07eeebef710fed7c9ff8a127aeb9df22b88f3c77ebe3e43fc89e0f7423f9fb5273b33f9e3ab24687aa8a971c1affc3e4c63a63a5a143f361d146eb38bf9f8eecb553367c5e06a7a8eb072fc67fed35ce68c025a222977139154019f636d6aa75c4dfbab05c8bcef6aee46dfd7e01d3233e89c3f72b36a534a7222eaedbf3432f31d79e10211a3222e954c7eb8a4f2e7f004d0e5b64');
INSERT INTO public.job_results VALUES ('local', 'job_01a217bbaeb0d9409d0222efe57a8482', 1, '\x78019555cb6ee23014fd95c81b3611258fa629fbd9579a653542c631c4ad135b8e438b10ff3ee73a01c2f4c5b088e2f8dc73ce7dd81cd8ab6a2bb664426acd62667a2f4c23f1c158af1a4edf1ae96b439846694b98f58b145eed803ab09607b4af9de9b7b5ed3d003bae7ba24816f4bbcbf0895bebcc3b5b66f49b87e7f0288e315b9b9e3c1cfe2f3066f29d0bcf96def5122c5b6ea1b9809890ceab8d12dc078b7e6fc98db6abaae75af93d20d629213bd27c7afa95cc9133ac4f3ca70940bf3fdd7a1876d28f410f0c365a531171db6b1db3cee89d74c30a7ba881d9c0ca601c85920e3e2572a71c0017b5ac7a4d3ef0ba7a4cabbc1445992755f528b342948b34abf82697d99a17828cbc71d7aa760bc1e73fa4ed49fb99bdd5fb088ba8314e2e234a311a53ec22ae75e46b19a1bd328e36c645b3cea22cb3389abd18d5ce18982c9c859e67774317a1d5a089d0a2a28500b82466ec68f38605ca956251ab6d3dac688b184f405460a35ce757037b28ffc8948c24f9291e2f436818907eb3918e323b8081eaf33c5a18c26058b59de76de86916b38a7b0ed534bf7f28d0948f51c1e4ed6194e068e83a283d6b254556e6575a41e3b628906a23b85e751e1d0b798af0126610d27d4753c2f2c56341131ea6282dd2241f242f60eac0776028550d6a834a5e82a8519de99d80f430b8f0a2516fb485a41234618a27919bf1e38c9cf0a78cae15ca89c0270124f86f00323142f4967b65306248c8c9b308719c0f68cc68d651bef33093da047d75d06f415f0eff8fe8e00467e00c2cf2bbbc2cd33249efc3b84c7c042caee09bc0c1f4943829be240ed82be2efc1e9fc76e274fe35317ab436de6bd94af13a5e0393b67456ca6ad5e3de3e306be5cab47a0f145d6c5b872d5a24f40772c4bc7934baf34a846b63c79de26b7db96985c105e0b86a3df687199edcc4c7e35f89c51206');
INSERT INTO public.job_results VALUES ('local', 'job_01a217bbb074c69f8f76cd6b94dea477', 1, '\x78019552cb6edb3010fc179e9d54941d18f557e4e05b50104b8ab6595322c18713d7c8bf675652adf8d0436f247776e7b1bc89b31b3ab1139a8e2a1c54a17cce6225422d26f41685108bebc9e3adb7e51418eb2323f46f6b8abb007313038dd8724aa11e4fb116002ee42b0f6871a61853f810bbf6b9f95c091d2a73defe055909fb41a6885d49d5027fa488390de6189b8a3b384365a42dd7c80c3eaaae9277e50a484cced8ccd35fe5333c40cca8a2f92125caafedf7477e03c1103a6e19aaf72b9183bfd834dd5083f07000c92409b66c82020bfdac0e7073b25df5cc81a36ae5ba315bda6e5fda9f76bde9a8d9ca8d348deea4d6eb8d8684774a831b8e207cfbc5dc85b9f998604b459b143c84c4767682352fb12a7d55d814bbdbcbb9ba6fc703a41a4f398fc3ee1bd9cba7270e6e6ce21e10d65eb3bf66f4a649bb31b989ca0dc84b65f787fd48ee7c0fe93c3319ebfddf5c1686f68181b7fd1f0cdf08a6fdde1990c7bc3d44fdb6d0cd86b016ac390718c14e3186c39b8358c0b3b6073067b08041d3b95c92d3b5b830a8f96f4e5fe1a172ff58483abbbe7ae2866973ac9492cb7ce7d6cf2f2f210ec8');
INSERT INTO public.job_results VALUES ('local', 'job_01a217bbb2350e1832e4b1ab7a244dc5', 1, '\x78019d54d16edb300cfc1543cf466b3b4dd7fa2bf21e14812233b656591224396910e4df77549c36cb3a60989f64913c1e8f144fe25ddb4eb42290375ac944dde6e0c2fbceb88328859b927223c1ee7cd2a334b81b290d8e43682fcd8408f6dbfe2495f41e9e2761658e484370533ff829c1815d19a67e7cc69ff43eb80fd1560ff5f3dd772ec5d64d4ce9f4ef41a5a00fa9926853980808bdf4c8552193a290f42e17c688e9e899853a2a439b209376f0f1412b8a3023d2ba8e8f7632a614d1993d85cfbfc4b566131c5180dbb10839310aa4803c04decc01b16aa06e329c0dc7cdeb4bb578da56f4d25592b6d5567575b39475a796b86e164cf52083d5b647f6f51b13494c642dd240c508c1602a0e32163d54b66d31f7a388f2188b34c854e8140b0f16ae2b742c32afb200ccc56a5de100153eb10660c9220e2e24dc3a4b02592ff1e0cc5d9ab382048493f13dd30924bbec191c448b2ee4db552ddecee58ddb4e1bc07ee3d80078b58037b229e775161ed307d4b62ec51cd7369038b803c005478cdcdc4c4a059dd04eb30914dd14140bbcaa1f3cca809f536af2dc569b597feb8339e620ae3090a23cb49759712386956d9c32527e174f82ebba056aaec966a0e56f408b470ec6a399a17ee4ff19acfa036c7107f69addbf782defe06e98018c35bcea91673a57edd0c559838bb0e8ab91b35220d7c9243791a068558ab9882633bb895c5f436f3a790159436fa0ac1aeeee77588b7bac2bd45f58a0edffcf02a374cbe20b6b99e53164fb3488b6f9cc51b384064fd9aa23af0423434f91c72b5b4692981dd1701f3183dc481974e4819a9702d6808e9841cce649f4d8711e27e4c5c9763822d5bc459eb1973a808bf6052d70d8afc7cdd56b094253b0b05d60e7c736ff9fcfbf003590c652');
INSERT INTO public.job_results VALUES ('local', 'job_01a217bbb350711a284a3447d3ca8ca6', 1, '\x78017552ed6ee320107c97fdeddcc5be36b5fc2a55656158621a021681b4919577bf59274d2d55fd079e9d0f663dd3c105431d199595f5f1832a8a25eb78647c8c537647e5f1edc8798c3277e8274e2e1aa7657278679ddd19b33305b570f29862d98f53c918382b5f44a8fefb8c9b9aa6143fa9dbfe69ae150db188f3fcfb5045fca974a62ea7c260ecd504ad2d9434a7ecacd32a2fd6f932898bbe68cf7d52d945cc4cc9693ec100cc108d1c43f1bea253f4674e8f5b5e4404c22002460ba99b311e80c75ac7c82919c0d5239be2c50dc75eef9eec4e29d3b4dbdad4cc0db776db2ac32fcf4f6ddb3688f1a15270610ff7d737099225881c6f3d4248aa493c7176081e243129ea6a34449d1455828dde40e307a213285af95ebba48b4353afe0ea1cf13a6854645d5a7810d3a30a813d8061b3112cc70307eafee1e496cdd574adbee9c38adeace96ab311ec4e0774a737bfd261f170bfade04ebe5f6ef6e0a315977959a0f440357c86622d27e96cfe56a1750860a8698dae5fb8a0103e61cfee84baf06126fca3c108f4f8371092cd5e96b3c36ea277fad27f4dedaed7ff72f50292');
INSERT INTO public.job_results VALUES ('local', 'job_01a217bbb4e0ea69818c1ac4fa7850d7', 1, '\x78017d52cb8ec2300cfc979cab85a62dafafe81dad50484dc99236519af050c5bfefb820b1d20a6e763ce399713b8a93e91bb1119d1a2285ddc5851305910997a2761d61e27c349db278eb281e1d83ad67c4fe877434676046d1ab091b8fc1a5f6e85304e0ac6ce205329f9573f4cafbe0ae6233ffaa6475cfc4de25961e3f03334157a5a3d8c49008ac5679ece47d9a423407a3559c2cc49b6735eb774d52d6c41b203e184d036bd4f917f2c018639e86f036d0943e9f4981ddbd6b18dd276b3331387bc629a60e33787707701f6e908e02c40901d818e0fa484db2bc1ee56e99ef9b45b95ed2ba52a4178a0a954b299b929a72259b0ae62e2af4a66f21b8fd66edc8da5c3e8d4eb7a9f33f7ee554afc0ad8b57593e101c007170a9ed08f32968f6027e26a20a2d61206a89ee602697a67f7ca630dd4f14b31536bc67166f99f93f26abbc34cb0fcc52dc11183f4de44bf2e1efbfb3d1c847');
INSERT INTO public.job_results VALUES ('local', 'job_01a217bbb5fcea862a6e5d03118d025c', 1, '\x78017d52db8e2a2110fc15c2f364752e7ad4aff0dd9c1864da198e0c10a671d718fffd1468b29b6c76df1aa8aeeaaae62e2fc6f57227273533c5e3bb8f178ab2923eb1f613e1c5073693b2b89b88479fc13664c4e91f69365760eed2a982e531fa348c2131005765532668ea45b7c4598510fd87dc2ddf56cdea51c9934f59fafe3bb092f4a134cb1dc744e81a540067e6d314d99c8d565c46e05bc86a361cfba4ace11b20211a4d73d6d8d76ff083c132e63510ee662aeeeb4523c1ed7c9fd12e595bc9d9db2ba22827bc61767f46ef731ab8a3087182813c18e07aa43ed94c8ff2f867dd2fa9dd6cbb8dee9a75afe94ccdb65d6f57a76dbd5a363d867b57d1193740f00065618dbb08e57a811a62987bf6518c6a164a587874fab6133c52246166807844b3608055b63a99704436af379166ea0b3c730d514d8509d4c6310d14c55545a34e167eff66e39c8d1f50be522a8bd9d75fc26a4abd81d4befd2cbb2722a7872cb1a6c31dc9a5a87310e8af24ab38101ee4bec1e96c4a44c63dff482ccb93ed6203869f3bdb1f3beb6f9d59e553b3fba5b3930f18c68fe5bcc6bcf5c77f2baef465');
INSERT INTO public.job_results VALUES ('local', 'job_01a217bbb730d169883df3ef02391e82', 1, '\x78017d52cb8ec2300cfc979cab85a62dafafe81dad50484dc99236519af050c5bfefb820b1d20a6e763ce399713b8a93e91bb1119d1a2285ddc5851305910997a2761d61e27c349db278eb281e1d83ad67c4fe877434676046d1ab091b8fc1a5f6e85304e0ac6ce205329f9573f4cafbe0ae6233ffaa6475cfc4de25961e3f03334157a5a3d8c49008ac5679ece47d9a423407a3559c2cc49b6735eb774d52d6c41b203e184d036bd4f917f2c018639e86f036d0943e9f4981ddbd6b18dd276b3331387bc629a60e33787707701f6e908e02c40901d818e0fa484db2bc1ee56e99ef9b45b95ed2ba52a4178a0a954b299b929a72259b0ae62e2af4a66f21b8fd66edc8da5c3e8d4eb7a9f33f7ee554afc0ad8b57593e101c007170a9ed08f32968f6027e26a20a2d61206a89ee602697a67f7ca630dd4f14b31536bc67166f99f93f26abbc34cb0fcc52dc11183f4de44bf2e1efbfb3d1c847');
INSERT INTO public.job_results VALUES ('local', 'job_01a217bbb8960f321426d3868d8cd476', 1, '\x78017591cb6ec3201045ff85b595a6491c57f987aeb3a82a0bc3d8a6c580f09087acfc7bef38edb23be675ef996151df2e587552939e99727b8df99bb2aa542c6ce244a8c4c46ed21eb989788cd2dce960afcef2d81a0a9c9d9181ee8b0cbb0b461615f43aca638e65185361345cb42fa2f7fab243a453caf1a64edb4dfda854178b502cff37558a6edab03a712e84894127686da16428b3eb9dd1bc5af33d898b4fad2dda3bbea325019166d13f6fb01578fe40a014a2955a28de576a8efe82fdd7083530c61e6a4f6fec4019560454c140bb19c9162f6a78b6a637cdf6a0773bddd4877d7db45d637bbd47f668dea86e8072d539b830c0f0e353bc59bce5f9cbb55ee10c3d391308661c180d0bc84a3662f40e15d67920e4d51941ef5600179e77ceeb219ef3d0c50fb000cb7e8f1f3933a039');
INSERT INTO public.job_results VALUES ('local', 'job_01a217bbb896baf5a8c22fc4516ed9a4', 1, '\x78017591cd6ec3201084df85b3d5266e7e9abc43cf39549585616dd3604078c98facbc7b679df6d81bb0b333df2eb33abb60d5518d7a62cacd35e6336555a958d8c491508989dda83dde46e2218ab8d5c15e9de5a13114383b230ded37197617b4cc2ae8a595871c4b3fa4c2105cb42fe2b77ead71d329e57853c7d5cbf651a93616a198ff17558a6edab03a722e848e5e2778ade06428b3eb9cd1bc44f33d498a4f8d2dda3bbe4392804893f89f5e301578fe40e014a2955a28de576a8afe82f9971b6a608c1ddc9ed9988132a208a88201b919c8162f6e3836f5ee7d53d7666ba9b65aafcd76bfef76879636fbb78d395899fbaa7370a147e0e79764b364cbf1976bd9c2097eb226104c58300433c84a3612f40117d6b927bcab132e9d5b005c78ee392f8b78f6c3173fc0022cf33d7e0000a59fd9');
INSERT INTO public.job_results VALUES ('local', 'job_01a217bbb896be4dede48ac4978f0a31', 1, '\x78017591cd6ec3201084df85b395ba8d93b879879e73a82a6b8db14d8301e1253fb2f2ee9d75da636fc0cece7cbb2cea6c7da78e6aa2994d6aae219d4d52850a9975980c2a21b29dc8e16d323c0611b7e4bbabed786cb4f19cac9686f6db68b617b42ccad3daca630a79186366082ee4b2f8bdbdec70a31853b8a963b9a91e856a43168ae57f51a1cc8d34ab23a76cd03150845709276d12dbde6ae2359aef51525c6cba4ccef21d920844338bff6983a9c0f30702271f3aa9f9ec5ca1e6e02e987fbda106c6d0c3ed998d194c429401aa6040ae47d365276e38367545fbbadf1e74bda3f7d7b2de1d685feefb6d55be95555b5540b952f2d60f08fcfc926c966c39fe72ad5b38c14fd60482190b866001594e5a823ee0c29406837775c2a5b72b80f5cf3da77511cf7ef8e207588065bec70f89c39ef7');
INSERT INTO public.job_results VALUES ('local', 'job_01a217bbb896bfc8905ffe0bdb874cc5', 1, '\x78017591cd6ec3201084df85b395267562b779879e73a82a8bc03aa6c180f0921f5979f7ce3aedb137606767be5d667576c1aabd1af5c494bb6bcc67caaa52b1b08923a11213bb517bbc8dc44314f151077b759687ce50e0ec8c341cbfc9b0bba06556412fad3ce4584e432a0cc145fb227eaf2f3bdc744a39ded47ebdda3e2a758c4528e6ff4595a29b36acf69c0ba1e3a413bcd6703294d9f5ce685ea2f99e24c5a7ce16ed1ddf214940a449fc0f2b4c059e3f10388568a5168af7959aa2bf60fee5861a18630fb7673666a08c2802aa60406e06b2c58b1b8edd4653dfecdafab56e9b0d6d6d6b1bdbeabab1bbf7ba7da31e28579d830b27047e7e49364bb61c7fb9962d1ce0276b02c18405433083ac6423411f70619d4f847775c0a5770b800bcf3de76511cf7ef8e207588065bec70ffc439fca');
INSERT INTO public.job_results VALUES ('local', 'job_01a217bbbb080b2e71d5c33c29f82751', 1, '\x78017d52c98ec2300cfd179f2b285d10e22b7a472394a6699b214da2d46151c5bf8fdd223188616e8ef3ecb724139cb46d600f83185185e3c585930a90808b28dda0e8c679d48330d41b14f68ec1c633a2fe5612f5993013583163b10f2e76bd8f4880b3309117649b7591d259781fdc15f6e9aaccca7b02b58b4c3dfd0f4c405d8544d863888aa63ae16927ef932aa06eb514384bc09b6736e38f4d1446e38d203e68a946e6a8362bf243c218f31054652fbd1d0d54f97bab7869154022ac6b78ad8dc624303a73a6cce613dd9149d712c9229b625081542a72ca0e082e7bd544c33aa83cee4a59a7795ea669299bb66e7351166d53a6f9769b6edbac20511711acb61d111ebe981b999bcb87a339c46af3dbd85c2f869e65b120d8c0a82c457a98487c0c92b5d07c022842a7e802aa8c4ead9e556abbbc679883867cbda30d9f27f38f939bb749667972b2d7bf39e9c1e04e86e9772127c9c1df7f00a434d397');
INSERT INTO public.job_results VALUES ('local', 'job_01a217bbbb0812ddc0fc7f29431f4155', 1, '\x78017d52cb8e823014fd97ae89ca4b1cbf82bd9998520a742cb429ad8f10ff7dcead26ce2c74c52d3de79e072ceca4a696edd9c8672fddf162dc493a963013bc30a3c48db15e8d5ce3dd28fd6008ac2d219a1f29bc3a03b3b08947ac1f9c09fd608307e0cc75a00559be2e3638736b9db9b2fd665556e53d618d0924bd7c06264c5eb9f06cef5d9060f5dc6227ed13d279d529c17db4e06f96d4b43db6816be56f8058a7849c49a34e57c8036384791ac2bb59c6f4e93a63d83d9996d053d03a61b3d16754114fb88377d381fb708374d2415c220019035c0cb20d9ad6633c9679b369da629b376d5516cdae2ca5c083575f69d776db0ae62edc4d6aea2178f8266d4fda343e8dc66eeaf48fdf0c73bade815be7afb18863410110074d1d16980f4e9017f013e6b9eb252e589de1d4a9e8524d8fcfe4627fe864870def99f95b2639facf24959766f18109d7088c9fc6539354fcfd17dd5fc862');
INSERT INTO public.job_results VALUES ('local', 'job_01a217bbbc7a10006fdd9f70b0d5ae0f', 1, '\x78018552db6ec2300cfd973c57945e297c05ef684269ead28c3489d2848b2afe7d768ab43189edcdb18f7d2eedccce52776cc7463e7970c7ab7167702c6126786146c089b15e8e5c616f043f18022b4b88f613849717c4cc4cf388f58333e134d8e01170e12ad0816293366b7c736b9db9b1dd7a55d679f548586b0271cfff201306372e3cdb791700d74edce255ba28c079d94bc17d14e1ef96f8943d76812be9ef08b14e0a9888649fadd0114a234c969674609fbff4b29a7ac54bafa156f9d22a19aad0a6a3bb3a2895b0c9a80bc6165f38439fa64796453726010e65027a250b081703744191102c8f5ba82a5ee6650dd9b66ffa6d03a2ed202f366d56d5ebbc420557eeb4d427243c7c10b7276e2a9f96628cfbeca7b3583f1dc57a71b240c8c1041a433dcca83e384162f040c23c7727c0018683af5e4699522fdfd4c5a85995e2e147f27eb578bb9aa5cdaf4da2f9262dffd8c4e0d132fe629eb2a4e81f5f6387d4c3');

INSERT INTO public.job_traces VALUES ('local', 'job_01a217bb9635b66d76dae354a9ead79f', '\x78018593cb6a1b511044ffe5ae45d4d5efd6af842c147b02062381259940f0bfa727d968063d7697a1863add55fdfdcf783b4f1ffbf3dbf13076d88cd3f4723cbc9ec68ebe1124b836e373ff7e99c66e606cc6cfe3e5f03abf93a05269549aa854dac2195c966e6922e65ead9f7eef5fce63f76bff7e9abe360b335e9919d96d2f956807a7203019c433aa9d2dc8d15f68ab643e53308590a0d5ce45a9e108117ec2214b0ed6b23b432b7a284a6917f4432485d5c48c9a233c97205c854416b70e2d2a3c01d1158893df03a1b02437ad4cd22c3330c2d9d410ac6b909c91d9841b57fbaf90c7c9740ed735901e356e4793808b9a1bcc5126d014157775ef36a86e5bc0e5920af54e29424a28180463669d2bf5a022be04d1d0b80f2200a29a859dd49a22a5c357ab7f1b598168d748398c92cd32ec4934ed7abd11edaa756d6e1dc67f9fa06894f48e9f840350d2027b9fc90a84e65bd1e834c5ca38e2f1469620409fc01d90abd59e3f2ed3d78fbfbe5b0659');
INSERT INTO public.job_traces VALUES ('local', 'job_01a217bba2c58dc4e87dd20094dab85e', '\x7801a5ceb10a80201845e177b9b3941626f92ad160f50f8128984610bd7b35042ed1d07ef838dd8e39523071f60eda256b19161abd9b16685e70ae24af195663134143940a0c834f6e7a6adacc18a1634874b04fad952ad79a1f5a255a29c48b769dde763ed79f09cf4a8b');
INSERT INTO public.job_traces VALUES ('local', 'job_01a217bbabb165765ed8afcfb49fe7f5', '\x78018bae56ca2c492d4a2cc9cccf53b2ca2bcdc9d1512a4e4dcecf4b2956b232d03330b034b230d7512a4bcc294d55b25232323631d63732333452d2514aca2fcd4b81e949ad484c2e51b22a292a4dadd52160a6a1a59181195e3351ec41363a1600ee533528');
INSERT INTO public.job_traces VALUES ('local', 'job_01a217bbaeb0d9409d0222efe57a8482', '\x78018bae56ca2c492d4a2cc9cccf53b2ca2bcdc9d1512a4e4dcecf4b2956b232d0333034373336d5512a4bcc294d55b252323400017d63251da5a4fcd2bc1454a1d48ac4e41225ab92a2d2d4da5800e76f1a7c');
INSERT INTO public.job_traces VALUES ('local', 'job_01a217bbb350711a284a3447d3ca8ca6', '\x78019dce310a84301046e1bbfcf5b0262b1a9dabc81651a71042029a2c82ecddd5ca68b9e56b3e5eb7618a32db38050fd6844586e0c705ac5e4a9575db10bed62501431735087d487e04fbe41c41563b44709c93fce846bd1f54658cc9a9ea6f4a9bb639f4eb2aa38ec7b3f2adcf0e7de745fc');

INSERT INTO public.jobs VALUES ('job_01a217bb81591525aaa68bd53ef9031d', 'local', 'master_worker', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","iterations":8,"elapsed":0.01}', NULL, 'sch_71bd6497e95aec6ae3a1222d4ed482d5', 1, 0, NULL, NULL, '2026-11-26 12:01:34.136551+00', 0, 5, '2026-11-26 12:01:34.136551+00', '2026-11-26 12:01:35.818222+00', '2026-11-26 12:01:39.195281+00', '{"name":"throughput","value":"21/40","approx":0.525}', '{"value":"21/40","approx":0.525,"exact":true}', '0', 0, 'an example of master_worker', 0, 0, NULL, 0, 0, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bb9635b66d76dae354a9ead79f', 'local', 'task_graph', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","iterations":1,"value":"1","bound":"81129670779586189032711404912640/81129638414605605335478063595277","exact":false,"elapsed":0.074}', NULL, 'sch_591c1f62f8fd39c5698c0127d1fe3d16', 1, 0, NULL, NULL, '2026-11-26 12:01:39.403966+00', 0, 5, '2026-11-26 12:01:39.403966+00', '2026-11-26 12:01:39.458497+00', '2026-11-26 12:01:42.34221+00', '{"name":"throughput","value":"1","approx":1.0}', '{"value":"1","approx":1.0,"exact":true}', '0', 0, 'an example of task_graph', 0, 0, NULL, 0, 0, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bba2c58dc4e87dd20094dab85e', 'local', 'mono_allocation', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","value":"1/6","exact":true,"bound":"1/6","elapsed":0.222}', NULL, 'sch_156935c679c50fe3792befb348adbf25', 1, 0, NULL, NULL, '2026-11-26 12:01:42.626019+00', 0, 4, '2026-11-26 12:01:42.626019+00', '2026-11-26 12:01:42.725665+00', '2026-11-26 12:01:43.568941+00', '{"name":"throughput","value":"1/6","approx":0.16666666666666666}', '{"value":"1/6","approx":0.16666666666666666,"exact":true}', '0', 0, 'an example of mono_allocation', 0, 0, NULL, 0, 0, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bba71965bba7039e6f89569292', 'local', 'collective', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","iterations":5,"elapsed":0.018}', NULL, 'sch_e71a19dbb51d224e0a00b73518193451', 1, 0, NULL, NULL, '2026-11-26 12:01:43.742953+00', 0, 4, '2026-11-26 12:01:43.742953+00', '2026-11-26 12:01:43.83724+00', '2026-11-26 12:01:44.688793+00', '{"name":"throughput","value":"1/2","approx":0.5}', '{"value":"1/2","approx":0.5,"exact":true}', '0', 2, 'an example of collective', 0, 0, NULL, 0, 0, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbabb165765ed8afcfb49fe7f5', 'local', 'divisible_chain', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","iterations":9,"value":"2343/2612","exact":true,"elapsed":0.01}', NULL, 'sch_e768e634f7362d15ae0ce36e6f17ef6f', 1, 0, NULL, NULL, '2026-11-26 12:01:44.885968+00', 0, 4, '2026-11-26 12:01:44.885968+00', '2026-11-26 12:01:44.918929+00', '2026-11-26 12:01:45.067691+00', '{"name":"makespan","value":"2343/2612","approx":0.8970137825421133}', '{"value":"2343/2612","approx":0.8970137825421133,"exact":true}', '0', 0, 'an example of divisible_chain', 0, 0, NULL, 0, 0, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbacc11ea48808703520f73efc', 'local', 'divisible_star', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","elapsed":0.001}', NULL, 'sch_e9820e06ec4554f249c5875ca3d1a789', 1, 0, NULL, NULL, '2026-11-26 12:01:45.173782+00', 0, 4, '2026-11-26 12:01:45.173782+00', '2026-11-26 12:01:45.262163+00', '2026-11-26 12:01:45.530088+00', '{"name":"makespan","value":"32/17","approx":1.8823529411764706}', '{"value":"32/17","approx":1.8823529411764706,"exact":true}', '0', 3, 'an example of divisible_star', 0, 0, NULL, 0, 0, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbaeb0d9409d0222efe57a8482', 'local', 'cell', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","iterations":8,"value":"100000/3","bound":"100000/3","exact":true,"elapsed":0.018}', NULL, 'sch_92d48c6841dd9e36c8023daf4e3ba6c7', 1, 0, NULL, NULL, '2026-11-26 12:01:45.657038+00', 0, 4, '2026-11-26 12:01:45.657038+00', '2026-11-26 12:01:45.732043+00', '2026-11-26 12:01:45.873759+00', '{"name":"throughput","value":"100000/3","approx":33333.333333333336}', '{"value":"100000/3","approx":33333.333333333336,"exact":true}', '0', 0, 'an example of cell', 0, 0, NULL, 0, 0, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbb074c69f8f76cd6b94dea477', 'local', 'bag_of_tasks', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","iterations":5,"elapsed":0.029}', NULL, 'sch_2130c7a77529e34da07141c0bd1bb34b', 1, 0, NULL, NULL, '2026-11-26 12:01:46.104274+00', 0, 4, '2026-11-26 12:01:46.104274+00', '2026-11-26 12:01:46.148047+00', '2026-11-26 12:01:46.318453+00', '{"name":"throughput","value":"2","approx":2.0}', '{"value":"2","approx":2.0,"exact":true}', '0', 4, 'an example of bag_of_tasks', 0, 0, NULL, 0, 0, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbb2350e1832e4b1ab7a244dc5', 'local', 'replicated_workflow', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","elapsed":0.008}', NULL, 'sch_98034b0e8d0aeb0bcd125a1dc534b230', 1, 0, NULL, NULL, '2026-11-26 12:01:46.560145+00', 0, 4, '2026-11-26 12:01:46.560145+00', '2026-11-26 12:01:46.611179+00', '2026-11-26 12:01:46.777968+00', '{"name":"throughput","value":"1/6","approx":0.16666666666666666}', '{"value":"1/6","approx":0.16666666666666666,"exact":true}', '0', 5, 'an example of replicated_workflow', 0, 0, NULL, 0, 0, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbb350711a284a3447d3ca8ca6', 'local', 'dataflow', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","iterations":2,"value":"1/5","exact":true,"elapsed":0.017}', NULL, 'sch_c64f6aad2801d1ee2e8f08ade7548882', 1, 0, NULL, NULL, '2026-11-26 12:01:46.846262+00', 0, 4, '2026-11-26 12:01:46.846262+00', '2026-11-26 12:01:46.896684+00', '2026-11-26 12:01:47.005295+00', '{"name":"throughput","value":"1/5","approx":0.2}', '{"value":"1/5","approx":0.2,"exact":true}', '0', 7, 'an example of dataflow', 0, 0, NULL, 0, 0, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbb4e0ea69818c1ac4fa7850d7', 'local', 'master_worker', 'succeeded', 'optimal', '{"study":"old"}', '[]', 60, '{"phase":"verifying","iterations":8,"elapsed":0.022}', NULL, 'sch_71bd6497e95aec6ae3a1222d4ed482d5', 1, 0, NULL, NULL, '2026-11-26 12:01:47.247814+00', 0, 4, '2026-11-26 12:01:47.247815+00', '2026-11-26 12:01:47.28641+00', '2026-11-26 12:01:47.342749+00', '{"name":"throughput","value":"21/40","approx":0.525}', '{"value":"21/40","approx":0.525,"exact":true}', '0', 0, 'RR-4870, figure 3', 3, 0, NULL, 0, 0, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbb5fcea862a6e5d03118d025c', 'local', 'master_worker', 'succeeded', 'optimal', '{}', '["no link and no processor has a latency: there is nothing to pay","mip_gap is not used: the program has no integer variables"]', 30, '{"phase":"verifying","iterations":8,"elapsed":0.018}', NULL, 'sch_76d0e38948c426dcefe293695b91502d', 1, 0, NULL, NULL, '2026-11-26 12:01:47.54067+00', 0, 4, '2026-11-26 12:01:47.540671+00', '2026-11-26 12:01:47.582676+00', '2026-11-26 12:01:47.639602+00', '{"name":"throughput","value":"21/40","approx":0.525}', '{"value":"21/40","approx":0.525,"exact":true}', '0', 2, 'RR-4870, figure 3', 0, 0, NULL, 0, 0, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbb730d169883df3ef02391e82', 'local', 'master_worker', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","iterations":8,"elapsed":0.019}', NULL, 'sch_71bd6497e95aec6ae3a1222d4ed482d5', 1, 0, NULL, NULL, '2026-11-26 12:01:47.834108+00', 0, 4, '2026-11-26 12:01:47.834109+00', '2026-11-26 12:01:47.884744+00', '2026-11-26 12:01:47.944032+00', '{"name":"throughput","value":"21/40","approx":0.525}', '{"value":"21/40","approx":0.525,"exact":true}', '0', 0, 'RR-4870, figure 3', 0, 0, NULL, 0, 0, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbb8960f321426d3868d8cd476', 'local', 'master_worker', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","elapsed":0.004}', NULL, 'sch_cfc704a22a754356db7dfa3fc76c8e57', 1, 0, NULL, NULL, '2026-11-26 12:01:48.198912+00', 0, 4, '2026-11-26 12:01:48.198912+00', '2026-11-26 12:01:48.266191+00', '2026-11-26 12:01:48.322947+00', '{"name":"throughput","value":"1/2","approx":0.5}', '{"value":"1/2","approx":0.5,"exact":true}', '0', 9, NULL, 0, 1, 'swp_01a217bbb847d95b3f4f468c49989dcf', 0, 1, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbb896baf5a8c22fc4516ed9a4', 'local', 'master_worker', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","elapsed":0.007}', NULL, 'sch_268422c5de2daa1c577f69be4734c9d2', 1, 0, NULL, NULL, '2026-11-26 12:01:48.199336+00', 0, 4, '2026-11-26 12:01:48.199336+00', '2026-11-26 12:01:48.37487+00', '2026-11-26 12:01:48.410299+00', '{"name":"throughput","value":"1/2","approx":0.5}', '{"value":"1/2","approx":0.5,"exact":true}', '0', 9, NULL, 0, 1, 'swp_01a217bbb847d95b3f4f468c49989dcf', 1, 1, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbb896be4dede48ac4978f0a31', 'local', 'master_worker', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","elapsed":0.001}', NULL, 'sch_84a68f37c85a910857a606f340204b44', 1, 0, NULL, NULL, '2026-11-26 12:01:48.1996+00', 0, 4, '2026-11-26 12:01:48.1996+00', '2026-11-26 12:01:48.435336+00', '2026-11-26 12:01:48.46618+00', '{"name":"throughput","value":"2/5","approx":0.4}', '{"value":"2/5","approx":0.4,"exact":true}', '0', 9, NULL, 0, 1, 'swp_01a217bbb847d95b3f4f468c49989dcf', 2, 1, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbb896bfc8905ffe0bdb874cc5', 'local', 'master_worker', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","elapsed":0.001}', NULL, 'sch_1aef657323761e4d7d6d7a36d59378ef', 1, 0, NULL, NULL, '2026-11-26 12:01:48.199792+00', 0, 4, '2026-11-26 12:01:48.199792+00', '2026-11-26 12:01:48.491704+00', '2026-11-26 12:01:48.518352+00', '{"name":"throughput","value":"2/5","approx":0.4}', '{"value":"2/5","approx":0.4,"exact":true}', '0', 9, NULL, 0, 1, 'swp_01a217bbb847d95b3f4f468c49989dcf', 3, 1, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbbb080b2e71d5c33c29f82751', 'local', 'master_worker', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","iterations":7,"elapsed":0.018}', NULL, 'sch_85cb0335005cdfbf3a54fd5036606f24', 1, 0, NULL, NULL, '2026-11-26 12:01:48.827751+00', 0, 4, '2026-11-26 12:01:48.827751+00', '2026-11-26 12:01:48.904422+00', '2026-11-26 12:01:48.961136+00', '{"name":"throughput","value":"21/40","approx":0.525}', '{"value":"21/40","approx":0.525,"exact":true}', '0', 9, 'P1.send, 3 times faster', 0, 1, 'swp_01a217bbbb07d1c1abcf8ed0079c2a8e', 0, 1, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbbb0812ddc0fc7f29431f4155', 'local', 'master_worker', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","iterations":8,"elapsed":0.015}', NULL, 'sch_53b0bd463bd754b855ec4b8a791fdf67', 1, 0, NULL, NULL, '2026-11-26 12:01:48.828104+00', 0, 4, '2026-11-26 12:01:48.828104+00', '2026-11-26 12:01:48.99664+00', '2026-11-26 12:01:49.045875+00', '{"name":"throughput","value":"23/40","approx":0.575}', '{"value":"23/40","approx":0.575,"exact":true}', '0', 9, 'P1.compute, 3 times faster', 0, 1, 'swp_01a217bbbb07d1c1abcf8ed0079c2a8e', 1, 1, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbbc7a10006fdd9f70b0d5ae0f', 'local', 'master_worker', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","iterations":8,"elapsed":0.019}', NULL, 'sch_9e55a4246e19f8f98ecbde237b156025', 1, 0, NULL, NULL, '2026-11-26 12:01:49.204173+00', 0, 4, '2026-11-26 12:01:49.204173+00', '2026-11-26 12:01:49.258255+00', '2026-11-26 12:01:49.33199+00', '{"name":"throughput","value":"37/80","approx":0.4625}', '{"value":"37/80","approx":0.4625,"exact":true}', '0', 0, 'RR-4870, figure 3', 0, 0, NULL, 0, 0, NULL, NULL, 'job_01a217bbb730d169883df3ef02391e82');
INSERT INTO public.jobs VALUES ('job_01a217bbdb62dfbc662ecf47c8508790', 'local', 'master_worker', 'queued', NULL, '{"queued":"master_worker"}', '[]', 60, NULL, NULL, NULL, 0, 0, NULL, NULL, '2026-11-26 12:01:57.118872+00', 0, 1, '2026-11-26 12:01:57.118872+00', NULL, NULL, NULL, NULL, NULL, 0, 'RR-4870, figure 3', 0, 0, NULL, 0, 0, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbdbac8cbe069d513ebe92f6dc', 'local', 'task_graph', 'queued', NULL, '{"queued":"task_graph"}', '[]', 60, NULL, NULL, NULL, 0, 0, NULL, NULL, '2026-11-26 12:01:57.179412+00', 0, 1, '2026-11-26 12:01:57.179412+00', NULL, NULL, NULL, NULL, NULL, 0, 'fork-join on RR-4870, figure 9', 0, 0, NULL, 0, 0, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbdbe93941aba62b63893e0e48', 'local', 'mono_allocation', 'queued', NULL, '{"queued":"mono_allocation"}', '[]', 60, NULL, NULL, NULL, 0, 0, NULL, NULL, '2026-11-26 12:01:57.232065+00', 0, 1, '2026-11-26 12:01:57.232065+00', NULL, NULL, NULL, NULL, NULL, 0, 'follow what moves on a camera and two servers', 0, 0, NULL, 0, 0, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbdc0f4cfbcc730f5a81af9125', 'local', 'collective', 'queued', NULL, '{"queued":"collective"}', '[]', 60, NULL, NULL, NULL, 0, 0, NULL, NULL, '2026-11-26 12:01:57.269069+00', 0, 1, '2026-11-26 12:01:57.269069+00', NULL, NULL, NULL, NULL, NULL, 2, 'RR-4872, figure 2', 0, 0, NULL, 0, 0, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbdc33e2cbcd1a433d174bad72', 'local', 'divisible_chain', 'queued', NULL, '{"queued":"divisible_chain"}', '[]', 60, NULL, NULL, NULL, 0, 0, NULL, NULL, '2026-11-26 12:01:57.313217+00', 0, 1, '2026-11-26 12:01:57.313217+00', NULL, NULL, NULL, NULL, NULL, 0, 'two equal processors', 0, 0, NULL, 0, 0, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbdc779d52074a43b5ea7b9782', 'local', 'divisible_star', 'queued', NULL, '{"queued":"divisible_star"}', '[]', 60, NULL, NULL, NULL, 0, 0, NULL, NULL, '2026-11-26 12:01:57.377268+00', 0, 1, '2026-11-26 12:01:57.377268+00', NULL, NULL, NULL, NULL, NULL, 3, 'three workers', 0, 0, NULL, 0, 0, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbdcb26af4bcbe93dc882e3df8', 'local', 'cell', 'queued', NULL, '{"queued":"cell"}', '[]', 60, NULL, NULL, NULL, 0, 0, NULL, NULL, '2026-11-26 12:01:57.433651+00', 0, 1, '2026-11-26 12:01:57.433651+00', NULL, NULL, NULL, NULL, NULL, 0, 'filter bank', 0, 0, NULL, 0, 0, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbdcdb2506f129df422e4997c9', 'local', 'bag_of_tasks', 'queued', NULL, '{"queued":"bag_of_tasks"}', '[]', 60, NULL, NULL, NULL, 0, 0, NULL, NULL, '2026-11-26 12:01:57.479881+00', 0, 1, '2026-11-26 12:01:57.479881+00', NULL, NULL, NULL, NULL, NULL, 4, NULL, 0, 0, NULL, 0, 0, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbdd0aa5015094d0ff8b084f0f', 'local', 'replicated_workflow', 'queued', NULL, '{"queued":"replicated_workflow"}', '[]', 60, NULL, NULL, NULL, 0, 0, NULL, NULL, '2026-11-26 12:01:57.524145+00', 0, 1, '2026-11-26 12:01:57.524145+00', NULL, NULL, NULL, NULL, NULL, 5, NULL, 0, 0, NULL, 0, 0, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbdd30e09b2360c574b00abe83', 'local', 'dataflow', 'queued', NULL, '{"queued":"dataflow"}', '[]', 60, NULL, NULL, NULL, 0, 0, NULL, NULL, '2026-11-26 12:01:57.558759+00', 0, 1, '2026-11-26 12:01:57.558759+00', NULL, NULL, NULL, NULL, NULL, 7, 'two', 0, 0, NULL, 0, 0, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbde4b3983d9bde986022c5ce9', 'local', 'master_worker', 'queued', NULL, '{}', '[]', 60, NULL, NULL, NULL, 0, 0, NULL, NULL, '2026-11-26 12:01:57.846201+00', 0, 1, '2026-11-26 12:01:57.846202+00', NULL, NULL, NULL, NULL, NULL, 9, NULL, 0, 1, 'swp_01a217bbdd59b5c2d715af1f479e96a9', 0, 1, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbde4c0249b659f734971ea577', 'local', 'master_worker', 'queued', NULL, '{}', '[]', 60, NULL, NULL, NULL, 0, 0, NULL, NULL, '2026-11-26 12:01:57.846756+00', 0, 1, '2026-11-26 12:01:57.846756+00', NULL, NULL, NULL, NULL, NULL, 9, NULL, 0, 1, 'swp_01a217bbdd59b5c2d715af1f479e96a9', 1, 1, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbdeb1d4e5c8aa3b774ed5db83', 'local', 'master_worker', 'queued', NULL, '{}', '[]', 60, NULL, NULL, NULL, 0, 0, NULL, NULL, '2026-11-26 12:01:57.947993+00', 0, 1, '2026-11-26 12:01:57.947993+00', NULL, NULL, NULL, NULL, NULL, 9, 'P1.send, 3/2 times faster', 0, 1, 'swp_01a217bbdeb1a873a16f8322038127e5', 0, 1, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bbdef139d867c0c041e0141268', 'local', 'master_worker', 'queued', NULL, '{}', '[]', 60, NULL, NULL, NULL, 0, 0, NULL, NULL, '2026-11-26 12:01:58.015396+00', 0, 1, '2026-11-26 12:01:58.015396+00', NULL, NULL, NULL, NULL, NULL, 0, 'RR-4870, figure 3', 0, 0, NULL, 0, 0, NULL, NULL, 'job_01a217bbb730d169883df3ef02391e82');

INSERT INTO public.platforms VALUES ('local', 'plt_f61b242dc11bcf758c318efe14050b6f', '{"name":"RR-4870, figure 3","counts":{"processors":4,"links":4,"media":0,"routes":0},"warnings":[]}', '\x7801ad90dd0a824010855f25e6da404b287c8af03624161d6d69fd617fa810dfbd192392a542a4cbd99d73e69caf8746d40809a4e93adeefc26055caca695c6d21804eb7391ad36a03c9b10759d0de21a20fd7487bb2721446213d98abb4f91992522883012861b1c9efb41ec210bc941b4fc9f32c2167999e9c2d8c3d2167ff7531a3e8b2b93ceb9ad6e99cd18c95add0155a9efc1a6c5ab84ee18d7e4ba714cd351652103436f4587cb3f54b2eb6e57cefb49f102c4acbf9fe634b50267c74eb2c32f16c78009e8ac87b', '2026-11-26 12:01:47.147874+00', NULL);

INSERT INTO public.probes VALUES ('write', NULL, NULL);

INSERT INTO public.replans VALUES ('rpl_01a217bbbc83b09ed41461ac6ad0f714', 'local', 'job_01a217bbb730d169883df3ef02391e82', 'job_01a217bbbc7a10006fdd9f70b0d5ae0f', '\x7801a553c16edb300cfd179e8d357652a0c857f46e04862233b11059f224796861f8dffb68b95d932d3b64071b22453d3e3e921305fe39724cb49fa86715c7c0ad9c87e035c7e84314ebb592ffe84c6a92e999f6b4a382e428d7f33c17648dbbc0a80f05705aa3167f41512b8bf893b2916179fb0b560a238ce42d07e5b4c0954fd586801275c7ed282f263af9d0e36ae0607c6b3412e6a364dfc0ead585e3a01ceddd686d41c6c52470b1419c7c7886d8aa14aa5df0e3b91b46140acfd302e00754a06cf3d74beb23ca214984a7ae35eedc645fce36f89024c03b6ee42cf482b7fe3cc25e72e3b6822e2ab1d3efbf7d5b0964ee87244aafc268a410b88994b55eab64bc83b92b48fb1eac3f1d1b4864bd44e294a05e3cb1b46803ed4ec64a3bea9a8e7c364eaa56f1420774e40ab49e2055cb6f0b46003d54b12a7247c2454160017dcaa07b7a2da55fdf28d487b9f8422ea1da27f20b98dc017e5e495e0157b7c018059486ca6e0a83902a75e20799428614a5c64e85a5229abf1342271e26b47d94d0f61f8430065f846499ee2854ca004a1faf24da3dcaa8129d767fd0826ed773266bbc0e9af495066c83394a13f2ee46d573b30660246eb6eb4548f39bd2d8b61c6f4d6f30efcdf17d6957f523a76312f00c267dcb45fe1f9af3695983c3fc0182dd9606', '2026-11-26 12:01:49.211855+00');
INSERT INTO public.replans VALUES ('rpl_01a217bbdef8a29cbdd884c39a456694', 'local', 'job_01a217bbb730d169883df3ef02391e82', 'job_01a217bbdef139d867c0c041e0141268', '\x7801ad54cb8edb300cfc179eddddf8b1409143bf21772330149b8985c89257928b5d18fef70e6d6f9aa44d0f410f09448a1a0e87a447f2fc3e7088b41da9631506cf8d9c7bef6a0ec1f920d62e97ffd0b35cd286128aba63b99aa62921a3ed1946b94f80d16835fb130ab5324cdba332816139f31356f4038ce80c7b656b38287dcd36049450b7dc0cf262a4a3f31dae7af6da35ba46c2e5085f21e93b75e6d02b4b5b3b189390b6210a5ca810273f3c436c960ad5d6bbe1d4f6038a84e77506703d2a50a6faeba57101e5cc75e2a96db43d558b6fc9d63b1f25c059aee42cf4bc33ee34c09e73e336832e2ab2ad3f7ffb720964eefa2842aec2d44821702329635cada27616669150ed3ab0fe726c209171128953847ae1c8d29e0db43b6a23ed284b3af0495ba95a8533edd1911bd07284540d7fcc181ef450c5aac8030967058105f47101ddd22e957e5d5128f75372414e13ba207f079307c06f2bc91be0ec1e18a380d250d95d611052c556fc2093d02e23941a5ae5e78a68ba26844e3c4d287f9650fe0f4218830ba1e2b142e9bc68f7da17cf32ca44a7e20f5ad0ed76ce648dd74193be528f6dd00769c2b2bb41755cad011889ebed12c2fca16a6cda126b74a731ebd5e1736e55feb2a462a1927efbb1cb5fe4db41926681950e2e13f1bf70ad8bf36aeca75fe1c39a2a', '2026-11-26 12:01:58.02444+00');

INSERT INTO public.schedule_chunks VALUES ('local', 'sch_71bd6497e95aec6ae3a1222d4ed482d5', 'allocations', 0, 0, 4, NULL, '\x7801a5904d0ac2301844f71e63d6019bb482e414dd9722d1a63628b12459082577f74b117f5b177511984cc8e331d500631b7d85cc18251f943d68bfebb54bc75c1a4870303815748aeb22a35b50fee4218731505d72446a9db2bed58e5eaa3ab2d503cd67d19b57f4768a2c3ec9035a7326970a7b7d34f6fe073543af42977ab2612845aa7ca7dce88df86624fe30ca971ae5bf8cf259239e167fee3f3552b15449a4a58a2faffa061071a4ae');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_71bd6497e95aec6ae3a1222d4ed482d5', 'computations', 0, 0, 4, '0', '\x78018bae564accc9c94f4e2cc9cccf53b232d0514ace2fcd2b51b2523254d2512a28ca4f4e2d2ece2f02f2034002c525894520490320bb24b1381bc80453405e666e2a906762a054abc3856aa821c2505374438dc835d4088fa1c6e41a6a8c30d410e44514ff9b106b6a2c00b27565af');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_71bd6497e95aec6ae3a1222d4ed482d5', 'slots', 0, 0, 3, '0', '\x7801a590b10ec2201445773fe3ce0c02baf42bdc1b06a4af86d84002d4a5e1df85aa310c3651375e72b8b9e7f60b8639e864bd4307b107434c3aa472d4770adac5914244d72fd0d3e4cd93950cc6cfae82bc92a39da84038d3c5bafa53c72b14432043f646a1702751d3c90d8f8b23b3ff330f4da6405699ed1aa9b5de4b6a35fc6cc5df56c75fa5b60bc8ed59c5f70564b34059556575071a62911d');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_591c1f62f8fd39c5698c0127d1fe3d16', 'allocations', 0, 0, 2, NULL, '\x7801cd90c10ac3201044effd8c3d0bad89b9e42b7af016a42c8d21a1c506f55010ffbdbb524a93924ba1d083308ebe599d2ec1e47a7b87f620488588ee6cc369b69ed774eba1850a04788c96a4dcf32662b80468136849de5192a52b567ca86b56352bc54a4126c2a30b83f544750986e94a611de3853402668c235b258c72c80a23fa329302d64ccd17964cb13698f22eb560d8a2b76dcf79fee07d0e5b1f8cc962f72a51fea8c4e68f4b6cbe2871cd986c1e93b9b05b');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_591c1f62f8fd39c5698c0127d1fe3d16', 'computations', 0, 0, 8, '0', '\x78018bae564accc9c94f4e2cc9cccf53b232d0514ace2fcd2b51b2523252d2512a28ca4f4e2d2ece2f02f2030c8102c525894520490320bb24b1381bc80c01899764e6a682f5d4ea70a19a6848a48920eb8833119f1b41a6607323d874b2dc886c22b21bf19b88cf8dc638dc0812272f1c914d4476237e13f1b9d104871b41e250379a289114d7a64499180b007c33bf82');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_591c1f62f8fd39c5698c0127d1fe3d16', 'slots', 0, 0, 4, '0', '\x7801b5923d0b83301086f7fe8c77cee057177f45073771081a419008317611ff7bef68a944ab8dc56e39b83cc9bdf7e423aac148db741a294208f4561a4be780ced648ddd7caf448f311b26dbbf2d51a0894dda0b9912fd54daba80759444596a01030aa54cd5d19eab825cc55ba7a561126e1d2c299c680378dd1845cd0b865a6857b34e76f31d3567fbb3ab418533189cb662a0cf44ae58439fe96f1e9a9f0b05ea978bcecba42fb38e24abc748577fe8b2b3cd13757c8e35d57f86daf54d6ae1c9e63cb95cfce1fc8d8d998772ac503ce1648ee');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_156935c679c50fe3792befb348adbf25', 'allocations', 0, 0, 1, NULL, '\x78017d8fc10a83300c86df25e7c2e665075f4564841ab5d87592743010df7da9d5cecb7628247f9aefffd32ce042476fa8af462b89182cc97d264ecf3d3ba8a102038c915279b969135126817a01f46e082acb03bdd781c539be387db4f82046953a8a64a32a1e79a0b4cc68a7d2af9b10a4275662b340efbcee3705657693d6c08c71cca39d9d6d7522236eae15ace68bc8e94a8413e1c89b33fd041ce71ca14f8472df3f54bbb61f580d70b5');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_156935c679c50fe3792befb348adbf25', 'computations', 0, 0, 4, '0', '\x7801a5d0310ec2300c05d09d6378ce50a062e8552a06cb5855d424ae1c7742bd3b4919b274007573bea3a72f8f6fc01084d0bc24183a07246b3218e00a0e1615e29c45cb9b30b26209b3a1d60f5d990df3bcef165b956be02397e00e9bbbfc4ce7583a1ccb18fc949afbf8cb0da8532d75d0f8c5c6640dee4fc17d85bea730459a9b7b83edf9017f2c6e03');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_156935c679c50fe3792befb348adbf25', 'slots', 0, 0, 1, '0', '\x7801a58fc10a83400c44ff65ce7b682f3df82be221c4284bd7b564632fe2bf37d6d282d022f41686c79b493da39d942c8e19152e0828466a7e9ffc36a55c3ad182aa9e41298dfc424f013c4e7905cf0e7631893360bad9a4e209a5d86734012a2cf12eea64195cb156486e9f01d3204a58c221f9a60c68c5846de74ea4fddafb766f6507d59fddfe325f77ee3f77ff967f1bde2ccd03c00885ea');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_e71a19dbb51d224e0a00b73518193451', 'allocations', 0, 0, 2, NULL, '\x7801958eb10a023110447b3f63ea8017b1ca57d88720abb7e705351ed91442c8bfbb51b0b9468b8199616779be22a6919f7083512785d299e5b870ee8a8f110e7b18dc59842eace93068cc54bab7db9d86427215b8dad4664a3271d6e82ba678d32bff990882c14265ee8de88c54fa4c5b9929bfdfa18566365f24fb2b92fd1fa94f5648a78e645748e105337b58b2');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_e71a19dbb51d224e0a00b73518193451', 'slots', 0, 0, 2, '0', '\x78019d90b10ec3200c44f77ec6cd0c89da295f913d62208448480824205d22febd38695aaa920edd6cebfc7cbe61c5b47811b5b3e870034388c2c75c37b98e5ed8302b1fd00d2b84314e3ea50d83748b25212dcddaa8ac414f5b019cc12ba9f45df92c10345376da9a80c4fe47edfc8325be58eddbd6b5b4d5566cf5dbf0608d483cb1cb691cf4e5791cc5dd8f386a77c7df711428da7e255b43555ee00f1aab8cb7');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_e768e634f7362d15ae0ce36e6f17ef6f', 'events', 0, 0, 10, '0', '\x7801a593cb0e82301045f77ec6ac49a00f50f90617ee890ba23512b0981657c67fb7350e944751e292a6b9a7e7ce903d40c813a440b6344c62060114523779555d856c20250194c5fb42a372a9cf42991b55214b4833d813f3b1a7703047756e5376f6445f72257a912650993088e019ac90b88d49481342fdc8637dbddd1b61894efc4dd547a175ad4ce0fb05c86364fd5198e43196cc1bfe80b38f455cd718e2f0c491f440e93fb5723ed09ce052c6d9e276ad9db75d9e0cb1ed001d5fde3eaeb7469defd292db3c2c191bfd0e5dbabbbde1469b41c913dc98c64b376a54f13c14eb74643dd0aee1df7e5497bb2103d709ac77a13af078b4b3b6232a9a3d0f2f7af747b6');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_e9820e06ec4554f249c5875ca3d1a789', 'events', 0, 0, 6, '0', '\x7801b590cb0a83301045f7fd8cbb0e5413e8c37f28742f2e824da9a88924e9aaf8ef1d235215e2a2b4ab0933e11ececd5f50fa860ca77d7a0443a59d974dd32aed91a50c7515aede4aedeecad28fa6d235b21c177a5f5314b43172480883c13da4559f408ab31485043ddb4d309e7c45e371da610c9c68c16606147c13589ab67b7a35d82d5c3a6b4ae59cb12440ae51b9358e9f3771b13645dc4f2cfdc6027f2cc86782ab3effc21333deda2f14d8176fd722c1e6');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_92d48c6841dd9e36c8023daf4e3ba6c7', 'allocations', 0, 0, 1, NULL, '\x78018591410bc2300c85ff4bce059d8a87debd0f3c8e21c575ae3ad6d11414c6febb4956d4c9c49db2f6bde47b693140ed02c6536f83f315822e06986ad099823ef8b345f40134e4f9210305d1e08dfeb06f5d8451bde5bbb9fc981f366f79ebef7fc41fbd1b776966eafdbcf59ce4ea5d0763a9c075957d805e7385d17444ceb9523662e611c144cbe59abfd5361152f00164ac060267a1b47da5667eb9e24c53f67437d24a82e9b0b6615a5fed5a9a50249502b6125d6f62c3c7095ed643c7d898204012f8db2b488be68c7b2e9b7960e2ffb0a6f790f13fad326fd1cb2b59f09663f9045fcaaf77');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_92d48c6841dd9e36c8023daf4e3ba6c7', 'computations', 0, 0, 4, '0', '\x78018bae564accc9c94f4e2cc9cccf53b232d0514ace2fcd2b51b2523254d2512a28ca4f4e2d2ece2f02f203025c4142c525894520690320bb24b1381bc82c2ec8c92c0171337353411af54d0d8040a956878b5cc36146c0adc8cacfcc43b6c1106403695604e3747f46667a06c270637df20c37021a81257072f2cbb1991d0b00f87d6d39');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_92d48c6841dd9e36c8023daf4e3ba6c7', 'slots', 0, 0, 1, '0', '\x78019d90b10ec2201445ffe5ce24b6ba75ef4ee2d830104aed3304cc83ead0f4df05e26074a932715f2ee79d30ac1817d689824787d3a16dca81404c9a531e957b62ede36439a21b5668e78279bd68044c587c29b6b93891b3b9837873947276e10125c0d658ba5bceadb3ec8f856efd58b3947d8b4dfc449de9327f63cbfebfb04552e01ac87f40abdb1bb4baef74ad8e7ba9f907d4a69e919278b0');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_2130c7a77529e34da07141c0bd1bb34b', 'allocations', 0, 0, 2, NULL, '\x7801958ebd0ac2301485771fe3cc29241dfb141ddc4290d8dedaa0c4929b410879776f6d71e9a2c385c3f9b97cb620c4915ee8b412c5d9c781f8b2505a2f3c47743050483ed32eb3e73ba32b389ba6d162f62daa424e3ef24449225b308587f42dae740b51f65bd7292c3ecf6bd06b71652916cf3e6dcfababeaf42532ff13b53b91f981e8d33d109903917b039d3156a4');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_2130c7a77529e34da07141c0bd1bb34b', 'computations', 0, 0, 2, '0', '\x78018bae564accc9c94f4e2cc9cccf53b232d4514ace2fcd2b51b2523254d2512a28ca4f4e2d2ece2f02f2034002c525894520490320bb24b1381bc80c31d2d50573337353c1da6a75b8500d35c063a8110e430dd10d8d0500fe06314c');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_2130c7a77529e34da07141c0bd1bb34b', 'slots', 0, 0, 1, '0', '\x7801858e310ac3301004ffb2b50c924bbf22453aa34291cf41204e7092d318ff3d272745028174bb303becbc63d924b45418131c0c6a0bd2345bcd4d02d795a4629a77849c4b7ca3d620968d3bd8476bcaa40c6e744facfdea86c1c21b08454a0f12e52e63b7132faf6671986fa7fbe31c7f38cfc79f4e7ff8270e743fe1');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_98034b0e8d0aeb0bcd125a1dc534b230', 'rows', 0, 0, 6, '1', '\x7801ad52c90ac23010bdfb1973eec1b66ef815bd971e423385d095492288f4df9d58bb2841a87a9bf726f096497a03bc205de10c61040194aa913ce76ddd59834cd4adb495d5ccb975476d8e5ab7c438099920d44a5a64b865a48d20c3b3db18a14b1e09857448d5ee51047db0f99ba49319250f6b240b55b19b7434c7d0204136c537241a5d301540a51a8e910e6993c83d7aadc4df403c678e3d99bf36107f32b0ece3341bd87b0cacb9b33bbc3fe5a2f46787d3a58f3f8aba0267d165b2f0d1edf0bbde5577d06777241bd53f');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_c64f6aad2801d1ee2e8f08ade7548882', 'rows', 0, 0, 3, '0', '\x78018bae564a4c2ec92f52b2524a54d2514a2d4b2daa04b24d81ececccbc142033393fb7a0b4241528909b9f529a535a0c143304f20a32128b5395ac0c75948a528b33534a816c2503a0787149625109945d92990b123654aad5e1425894045445a44546445804720cd42223aa5b04321ce62363148b620156665c20');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_76d0e38948c426dcefe293695b91502d', 'allocations', 0, 0, 4, NULL, '\x7801a5904d0ac2301844f71e63d6019bb482e414dd9722d1a63628b12459082577f74b117f5b177511984cc8e331d500631b7d85cc18251f943d68bfebb54bc75c1a4870303815748aeb22a35b50fee4218731505d72446a9db2bed58e5eaa3ab2d503cd67d19b57f4768a2c3ec9035a7326970a7b7d34f6fe073543af42977ab2612845aa7ca7dce88df86624fe30ca971ae5bf8cf259239e167fee3f3552b15449a4a58a2faffa061071a4ae');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_76d0e38948c426dcefe293695b91502d', 'computations', 0, 0, 4, '0', '\x78018bae564accc9c94f4e2cc9cccf53b232d0514ace2fcd2b51b2523254d2512a28ca4f4e2d2ece2f02f2034002c525894520490320bb24b1381bc80453405e666e2a906762a054abc3856aa821c2505374438dc835d4088fa1c6e41a6a8c30d410e44514ff9b106b6a2c00b27565af');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_76d0e38948c426dcefe293695b91502d', 'slots', 0, 0, 3, '0', '\x7801a590b10ec2201445773fe3ce0c02baf42bdc1b06a4af86d84002d4a5e1df85aa310c3651375e72b8b9e7f60b8639e864bd4307b107434c3aa472d4770adac5914244d72fd0d3e4cd93950cc6cfae82bc92a39da84038d3c5bafa53c72b14432043f646a1702751d3c90d8f8b23b3ff330f4da6405699ed1aa9b5de4b6a35fc6cc5df56c75fa5b60bc8ed59c5f70564b34059556575071a62911d');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_cfc704a22a754356db7dfa3fc76c8e57', 'allocations', 0, 0, 1, NULL, '\x78012d8c310ac3300c45eff26743db8cbe43e70cc604b5561ad3e206c943c1f8ee914307c1d3d3ff0a0db924fec15f9d91562a4fd665671993bf091e373808551e78996ca9a46f856f27989dd14d0a155d59ec101ad6fcb17cc0835fb9fc2b880e3bd56df8bbb97908dd48cecfe8b1c703ea9d2cb3');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_cfc704a22a754356db7dfa3fc76c8e57', 'computations', 0, 0, 1, '0', '\x78018bae564accc9c94f4e2cc9cccf53b232d0514ace2fcd2b51b2523254d2512a28ca4f4e2d2ece2f02f2c381fce292c422909c01905d92589c0d648229202f333715c83352aa8d050052eb1961');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_cfc704a22a754356db7dfa3fc76c8e57', 'slots', 0, 0, 1, '0', '\x78012d8c310e80201004ffb23585b6fec1da82509c781a223992036d0c7f178cdd6c32b3f6c17629959004134618e4425a1a0f8d8b92e49d3563b20f28c6e47f7530f0e9922ef6680f919b83958f203da47cc219287b0e376bd396fecdb27d634675d5bdc7b42768');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_268422c5de2daa1c577f69be4734c9d2', 'allocations', 0, 0, 1, NULL, '\x78012d8c310ac3300c45eff26743db8cbe43e70cc604b5561ad3e206c943c1f8ee914307c1d3d3ff0a0db924fec15f9d91562a4fd665671993bf091e373808551e78996ca9a46f856f27989dd14d0a155d59ec101ad6fcb17cc0835fb9fc2b880e3bd56df8bbb97908dd48cecfe8b1c703ea9d2cb3');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_268422c5de2daa1c577f69be4734c9d2', 'computations', 0, 0, 1, '0', '\x78018bae564accc9c94f4e2cc9cccf53b232d0514ace2fcd2b51b2523254d2512a28ca4f4e2d2ece2f02f2c381fce292c422909c01905d92589c0d648229202f333715c83352aa8d050052eb1961');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_268422c5de2daa1c577f69be4734c9d2', 'slots', 0, 0, 1, '0', '\x78012dccb10a84301004d07f993aa05ee93f5c6d2129f6e27a04c30636d146fc77376237036f663eb1ec4a3566c188a1fbc0a154d26aadb75c95a4acac05e37c8252cae1c5bd43c8bb3438185c636233f8f13f4a1b52d9e01d9403c783d5d8d4be5996a77c71f9cbdffc0e27c9');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_84a68f37c85a910857a606f340204b44', 'allocations', 0, 0, 1, NULL, '\x78012d8c310ac3300c45eff267439b4017dfa173066382d2288d697183e421607cf7caa583e0e9e97f858a94573ee1afce480be507eb7cb0f4499f151e031c840a1b8e979b2d85f4a5f0f50766273493425937163b848a2dbd2d1fb0f033e57f05d1e1a0b2777f373775a13b49ff3ca0c516bfec172cb7');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_84a68f37c85a910857a606f340204b44', 'computations', 0, 0, 1, '0', '\x78018bae564accc9c94f4e2cc9cccf53b232d0514ace2fcd2b51b2523254d2512a28ca4f4e2d2ece2f02f2c381fce292c422909c01905d92589c0d648229202f333715c833d53752aa8d0500857a19c5');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_84a68f37c85a910857a606f340204b44', 'slots', 0, 0, 1, '0', '\x78012d8c310e80201004ffb23585b6fec1da82509c781a223992036d0c7f178cdd6c32b3f6c17629959004134618e4425a1a0f8d8b92e49d3563b20f28c6e47f7530f0e9922ef6680f919b83958f203da47cc219287b0e376bd396fecdb27d634675d5bdc7b42768');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_1aef657323761e4d7d6d7a36d59378ef', 'allocations', 0, 0, 1, NULL, '\x78012d8c310ac3300c45eff267439b4017dfa173066382d2288d697183e421607cf7caa583e0e9e97f858a94573ee1afce480be507eb7cb0f4499f151e031c840a1b8e979b2d85f4a5f0f50766273493425937163b848a2dbd2d1fb0f033e57f05d1e1a0b2777f373775a13b49ff3ca0c516bfec172cb7');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_1aef657323761e4d7d6d7a36d59378ef', 'computations', 0, 0, 1, '0', '\x78018bae564accc9c94f4e2cc9cccf53b232d0514ace2fcd2b51b2523254d2512a28ca4f4e2d2ece2f02f2c381fce292c422909c01905d92589c0d648229202f333715c833d53752aa8d0500857a19c5');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_1aef657323761e4d7d6d7a36d59378ef', 'slots', 0, 0, 1, '0', '\x78012dccb10a84301004d07f993aa05ee93f5c6d2129f6e27a04c30636d146fc77376237036f663eb1ec4a3566c188a1fbc0a154d26aadb75c95a4acac05e37c8252cae1c5bd43c8bb3438185c636233f8f13f4a1b52d9e01d9403c783d5d8d4be5996a77c71f9cbdffc0e27c9');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_85cb0335005cdfbf3a54fd5036606f24', 'allocations', 0, 0, 4, NULL, '\x7801a5904d0ac2301844f71e63d6019bb482e414dd9722d1a63628b12459082577f74b117f5b177511984cc8e331d500631b7d85cc18251f943d68bfebb54bc75c1a4870303815748aeb22a35b50fee4218731505d72446a9db2bed58e5eaa3ab2d503cd67d19b57f4768a2c3ec9035a7326970a7b7d34f6fe073543af42977ab2612845aa7ca7dce88df86624fe30ca971ae5bf8cf259239e167fee3f3552b15449a4a58a2faffa061071a4ae');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_85cb0335005cdfbf3a54fd5036606f24', 'computations', 0, 0, 4, '0', '\x78018bae564accc9c94f4e2cc9cccf53b232d0514ace2fcd2b51b2523254d2512a28ca4f4e2d2ece2f02f2034002c525894520490320bb24b1381bc80453405e666e2a906762a054abc3856aa821c2505374438dc835d4088fa1c6e41a6a8c30d410e44514ff9b106b6a2c00b27565af');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_85cb0335005cdfbf3a54fd5036606f24', 'slots', 0, 0, 3, '0', '\x7801a591410ec2201045f71ee3af492c54373d85fb8605d2a92136900075d37077c16ab4268d51774cf2f8f96fa69dd08d5e45e32c1af0aadad6600851f998e72abfa35736f4e4039a76821a06a7ef78cda0dd680bc80bd99b813284239d8c2d3f5538433278d2642ee4337710259d6c374f1c89fd9fb95b640a2499d8e6cd6ba1f5d05c57e34fb5fdaf661f5bf079d9eb2dc4f72d6ed77bddaf4cf20a1bdd9394');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_53b0bd463bd754b855ec4b8a791fdf67', 'allocations', 0, 0, 4, NULL, '\x7801a590cb0ac2301045f77ec6ac036d1e82f42bba0f41a24d6d506249b2104affdd19298adabaa88bc0cd0d391cae1ec087c6dda02a19a6946d38bab4ef5da4e3af0d54208141b4d9512c5489b76cd33941353c02d6358711db68436a5dc4176d46b679a2f9227afb42f3623747169fe4015a7f41170d0777f261fa0386416f73473dda30a80555a9b391bcd1efcd48fc6124d71ac95f4672d188d3e2d3febc507323a9b54a8296525f5ee60e1827a4b2');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_53b0bd463bd754b855ec4b8a791fdf67', 'computations', 0, 0, 4, '0', '\x78018bae564accc9c94f4e2cc9cccf53b232d0514ace2fcd2b51b2523256d2512a28ca4f4e2d2ece2f02f2030c8102c525894520490320bb24b1381bc80453405e666e2a906762a054abc3856aa821c2505374438dc835d4088fa120a793e5526384a186202fa2f8df8458536301b4eb65b1');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_53b0bd463bd754b855ec4b8a791fdf67', 'slots', 0, 0, 3, '0', '\x7801a590b10ec2201445773fe3ce0c02baf42bdc1b06a4af86d84002d4a5e1df85aa310c3651375e72b8b9e7f60b8639e864bd4307b107434c3aa472d4770adac5914244d72fd0d3e4cd93950cc6cfae82bc92a39da84038d3c5bafa53c72b14432043f646a1702751d3c90d8f8b23b3ff330f4da6405699ed1aa9b5de4b6a35fc6cc5df56c75fa5b60bc8ed59c5f70564b34059556575071a62911d');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_9e55a4246e19f8f98ecbde237b156025', 'allocations', 0, 0, 4, NULL, '\x78019dd1d10a82301805e0fb1ee35c0f727345f814de8bc4ca99a358b2ed4210dfbd7f1292a55d7831f877c60edf58d1c3d84a77c81246930fca5eb53fb7dac5659e153208303815348d7c2f13da05e5ef1e593f0e14e71c03a54e595f6b47274539b0dd54cd57ab0f9fd5fcb8542dbeab7bd4e6419802177d33f67d072543ab421373e230e42246be516e84639891c42a89c7074ecf3d2d91d2ada4f41f295d258919492e91e45652fcdc5cfeb8ca170be2a50b');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_9e55a4246e19f8f98ecbde237b156025', 'computations', 0, 0, 4, '0', '\x78018bae564accc9c94f4e2cc9cccf53b232d0514ace2fcd2b51b2523252d2512a28ca4f4e2d2ece2f02f2030c8102c525894520490320bb24b1381bc80453405e666e2a906761a054abc3856aa821c25053744341b69065a811c25043906b509c6a4caea9c608538d304c3521d6d45800109165ed');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_9e55a4246e19f8f98ecbde237b156025', 'slots', 0, 0, 3, '0', '\x7801a590410ac2301045f71ee3afb330a945e829dc972c623b9560482049dd94dcdda45a4a11457437037f3eef4d3ba11fbd8ada5934a8f7600851f998973247af6c18c80734ed04658ceb9ed98aa173a32d4151928336944338d345db72a9c21592c15347fa463ee74ea2b493ed1f1b4762ff771e369d024926b6db48cd788bd46cf8de4aac56fc5bab6a4390ad5e08e6aa85e0f8f9af7c25a873f14f6f9549de01a0ca9156');

INSERT INTO public.schedules VALUES ('local', 'sch_71bd6497e95aec6ae3a1222d4ed482d5', '{"form":"periodic","period":"40","makespan":null,"instances_per_period":"21","throughput":"21/40","optimal_throughput":"21/40","loss":"0","rounding_loss":null,"ports":"one_port","prologue_periods":2,"latency_periods":3,"preempted":false,"counts":{"allocations":4,"computations":4,"slots":3,"transfers":4},"files":[["begin","task"]]}', '2026-11-26 12:01:39.190241+00');
INSERT INTO public.schedules VALUES ('local', 'sch_591c1f62f8fd39c5698c0127d1fe3d16', '{"form":"periodic","period":"4","makespan":null,"instances_per_period":"4","throughput":"1","optimal_throughput":"1","loss":"0","rounding_loss":null,"ports":"one_port","prologue_periods":4,"latency_periods":5,"preempted":false,"counts":{"allocations":2,"computations":8,"slots":4,"transfers":12},"files":[["T1","T2"],["T1","T3"],["T2","T4"],["T3","T4"]]}', '2026-11-26 12:01:42.331296+00');
INSERT INTO public.schedules VALUES ('local', 'sch_156935c679c50fe3792befb348adbf25', '{"form":"periodic","period":"6","makespan":null,"instances_per_period":"1","throughput":"1/6","optimal_throughput":"1/6","loss":"0","rounding_loss":null,"ports":"multiport","prologue_periods":5,"latency_periods":6,"preempted":false,"counts":{"allocations":1,"computations":4,"slots":1,"transfers":4},"files":[["capture","align"],["align","detect"],["detect","track"],["capture","track"]]}', '2026-11-26 12:01:43.565462+00');
INSERT INTO public.schedules VALUES ('local', 'sch_e71a19dbb51d224e0a00b73518193451', '{"form":"periodic","period":"8","makespan":null,"instances_per_period":"4","throughput":"1/2","optimal_throughput":"1/2","loss":"0","rounding_loss":null,"ports":"one_port","prologue_periods":1,"latency_periods":2,"preempted":false,"counts":{"allocations":2,"computations":0,"slots":2,"transfers":5},"files":[["P0","s"],["P1","s"]]}', '2026-11-26 12:01:44.68596+00');
INSERT INTO public.schedules VALUES ('local', 'sch_e768e634f7362d15ae0ce36e6f17ef6f', '{"form":"once","period":null,"makespan":"2343/2612","instances_per_period":null,"throughput":null,"optimal_throughput":null,"loss":null,"rounding_loss":null,"ports":"strict_one_port","prologue_periods":null,"latency_periods":null,"preempted":null,"counts":{"allocations":0,"computations":0,"slots":0,"transfers":0,"events":10},"files":[]}', '2026-11-26 12:01:45.062841+00');
INSERT INTO public.schedules VALUES ('local', 'sch_e9820e06ec4554f249c5875ca3d1a789', '{"form":"once","period":null,"makespan":"32/17","instances_per_period":null,"throughput":null,"optimal_throughput":null,"loss":null,"rounding_loss":null,"ports":"strict_one_port","prologue_periods":null,"latency_periods":null,"preempted":null,"counts":{"allocations":0,"computations":0,"slots":0,"transfers":0,"events":6},"files":[]}', '2026-11-26 12:01:45.510141+00');
INSERT INTO public.schedules VALUES ('local', 'sch_92d48c6841dd9e36c8023daf4e3ba6c7', '{"form":"periodic","period":"3/100000","makespan":null,"instances_per_period":"1","throughput":"100000/3","optimal_throughput":"100000/3","loss":"0","rounding_loss":null,"ports":"multiport","prologue_periods":5,"latency_periods":6,"preempted":false,"counts":{"allocations":1,"computations":4,"slots":1,"transfers":4},"files":[["split","low"],["split","high"],["low","join"],["high","join"]]}', '2026-11-26 12:01:45.869717+00');
INSERT INTO public.schedules VALUES ('local', 'sch_2130c7a77529e34da07141c0bd1bb34b', '{"form":"periodic","period":"1","makespan":null,"instances_per_period":"2","throughput":"2","optimal_throughput":"2","loss":"0","rounding_loss":null,"ports":"multiport","prologue_periods":1,"latency_periods":2,"preempted":false,"counts":{"allocations":2,"computations":2,"slots":1,"transfers":2},"files":[["begin","T1--0"],["begin","T2--0"]]}', '2026-11-26 12:01:46.316001+00');
INSERT INTO public.schedules VALUES ('local', 'sch_98034b0e8d0aeb0bcd125a1dc534b230', '{"form":"timetable","period":"12","makespan":null,"instances_per_period":"2","throughput":"1/6","optimal_throughput":"1/6","loss":"0","rounding_loss":null,"ports":"no_overlap","prologue_periods":null,"latency_periods":null,"preempted":false,"counts":{"allocations":0,"computations":0,"slots":0,"transfers":0,"rows":6},"files":[]}', '2026-11-26 12:01:46.775813+00');
INSERT INTO public.schedules VALUES ('local', 'sch_c64f6aad2801d1ee2e8f08ade7548882', '{"form":"timetable","period":"5","makespan":null,"instances_per_period":"1","throughput":"1/5","optimal_throughput":"1/5","loss":"0","rounding_loss":null,"ports":null,"prologue_periods":null,"latency_periods":null,"preempted":false,"counts":{"allocations":0,"computations":0,"slots":0,"transfers":0,"rows":3},"files":[]}', '2026-11-26 12:01:47.000048+00');
INSERT INTO public.schedules VALUES ('local', 'sch_76d0e38948c426dcefe293695b91502d', '{"form":"periodic","period":"40","makespan":null,"instances_per_period":"21","throughput":"21/40","optimal_throughput":"21/40","loss":"0","rounding_loss":null,"ports":"one_port","prologue_periods":2,"latency_periods":3,"preempted":false,"counts":{"allocations":4,"computations":4,"slots":3,"transfers":4},"files":[["begin","task"]],"grouped_periods":1,"latency_time":"0"}', '2026-11-26 12:01:47.634383+00');
INSERT INTO public.schedules VALUES ('local', 'sch_cfc704a22a754356db7dfa3fc76c8e57', '{"form":"periodic","period":"2","makespan":null,"instances_per_period":"1","throughput":"1/2","optimal_throughput":"1/2","loss":"0","rounding_loss":null,"ports":"one_port","prologue_periods":1,"latency_periods":2,"preempted":false,"counts":{"allocations":1,"computations":1,"slots":1,"transfers":1},"files":[["begin","task"]]}', '2026-11-26 12:01:48.312156+00');
INSERT INTO public.schedules VALUES ('local', 'sch_268422c5de2daa1c577f69be4734c9d2', '{"form":"periodic","period":"2","makespan":null,"instances_per_period":"1","throughput":"1/2","optimal_throughput":"1/2","loss":"0","rounding_loss":null,"ports":"one_port","prologue_periods":1,"latency_periods":2,"preempted":false,"counts":{"allocations":1,"computations":1,"slots":1,"transfers":1},"files":[["begin","task"]]}', '2026-11-26 12:01:48.408011+00');
INSERT INTO public.schedules VALUES ('local', 'sch_84a68f37c85a910857a606f340204b44', '{"form":"periodic","period":"5/2","makespan":null,"instances_per_period":"1","throughput":"2/5","optimal_throughput":"2/5","loss":"0","rounding_loss":null,"ports":"one_port","prologue_periods":1,"latency_periods":2,"preempted":false,"counts":{"allocations":1,"computations":1,"slots":1,"transfers":1},"files":[["begin","task"]]}', '2026-11-26 12:01:48.464015+00');
INSERT INTO public.schedules VALUES ('local', 'sch_1aef657323761e4d7d6d7a36d59378ef', '{"form":"periodic","period":"5/2","makespan":null,"instances_per_period":"1","throughput":"2/5","optimal_throughput":"2/5","loss":"0","rounding_loss":null,"ports":"one_port","prologue_periods":1,"latency_periods":2,"preempted":false,"counts":{"allocations":1,"computations":1,"slots":1,"transfers":1},"files":[["begin","task"]]}', '2026-11-26 12:01:48.51595+00');
INSERT INTO public.schedules VALUES ('local', 'sch_85cb0335005cdfbf3a54fd5036606f24', '{"form":"periodic","period":"40","makespan":null,"instances_per_period":"21","throughput":"21/40","optimal_throughput":"21/40","loss":"0","rounding_loss":null,"ports":"one_port","prologue_periods":2,"latency_periods":3,"preempted":false,"counts":{"allocations":4,"computations":4,"slots":3,"transfers":4},"files":[["begin","task"]]}', '2026-11-26 12:01:48.955999+00');
INSERT INTO public.schedules VALUES ('local', 'sch_53b0bd463bd754b855ec4b8a791fdf67', '{"form":"periodic","period":"40","makespan":null,"instances_per_period":"23","throughput":"23/40","optimal_throughput":"23/40","loss":"0","rounding_loss":null,"ports":"one_port","prologue_periods":2,"latency_periods":3,"preempted":false,"counts":{"allocations":4,"computations":4,"slots":3,"transfers":4},"files":[["begin","task"]]}', '2026-11-26 12:01:49.03314+00');
INSERT INTO public.schedules VALUES ('local', 'sch_9e55a4246e19f8f98ecbde237b156025', '{"form":"periodic","period":"80","makespan":null,"instances_per_period":"37","throughput":"37/80","optimal_throughput":"37/80","loss":"0","rounding_loss":null,"ports":"one_port","prologue_periods":2,"latency_periods":3,"preempted":false,"counts":{"allocations":4,"computations":4,"slots":3,"transfers":4},"files":[["begin","task"]]}', '2026-11-26 12:01:49.329699+00');

INSERT INTO public.sweep_plans VALUES ('local', 'swp_01a217bbb847d95b3f4f468c49989dcf', '\x78018551cb4ec33010fc973da288b491e010894fe0dc4315456eb269ad38b6e50705a2fc3bb3a1940a81b879776767c63b33259ebc5189a99ec90777303cc973d4b6a79a26151387f6ecc2c8810a12e8e0c20a01bae3185d8854ef67d2827f06269e75ea4e540fca442e48c86df786e18696e282db0197ad4e6dd213a4a9fa67af018fb6e3a752743974b2256a49852327143f29b718f6d91b7ec570c8c6a09eb8d70a6e85eed616ea9b517039b148350bfaeb05ae627194ebc83dd012096d7d4e6dd4ef62481a58bee9c89fc9bb90c047ce722b6fa04443db239a43605eada5939313aa9c9c2c399fb4b3589b498ed41a3d69fcf37173bf812beddba3f280af02461dd8087411c7ae172f88a7cf9d687915d4c4c851fe34934581f9355305d63d9597f0cbaf88a571c9b7dcebfe69d794df893505bd2893d72b55053d9415e158576ec90ac2b1530652bf91af6996777f506e0bdaae94d039ab607129f1de2c1ff573e20b');
INSERT INTO public.sweep_plans VALUES ('local', 'swp_01a217bbbb07d1c1abcf8ed0079c2a8e', '\x7801ad53db4ec3300cfd95c9cf85b66c02b4af407b455595756e17354da25c1850f5dfb10b53a78a8d69e22d71ceb18f9de31e0276568980b0eec13ab355d8f1b1957a076be8840fe8ca83712d3a4880a1b57123448b8e58b0d9dcad9e9fb26451cb263a5c2c19e64c85de1be761fdda83e4542f393d442d4319e448cc330af8830cd51ed6b5501e136025bafa2078064372643ecc987cbf8ac85a4e4b5e4d5ccd88acfd52c582a44bdd7eb7eb4d74158f666c3908d760e0dbbc0d4eba8b56e13bbdd65129ba77b8938286c60967b3389776dee4cd6959dfa4f6b711dca496f5fd4f5a1acac97c9c890179e2c540f1d1a8d3cc7dcb2e66df528c5b91dac6507af9c91fc39d12fb24c276036b5ca0846034967c26141791baa160ed1029d061d81bf6b388c130c9d8208d265a0f6cec52c94ed2773f66f719a1a52d1b61093e1650628b8aa1035713e4fcb1015a115f09c5cad29f1d4c8f9b968ebe4ab374f271026f424546e7e9725c93bfd8f97976915cac3e6df2250945317c015b285e11');
INSERT INTO public.sweep_plans VALUES ('local', 'swp_01a217bbdd59b5c2d715af1f479e96a9', '\x78018551d14ec3300cfc173fa28a6e93e0a1129fc0330f535565adbb594b93284919aceabf732e634c08c45b6c9fef2ebe89320fc19acc544d14a2df591ef47914d751458349996373f2f1c8910a5268efe30201bae5947c4c546d2712c53f03934e92db0355bdb1890b5272d7be63b8a2b9b8e05e801b9de426cb0069dafcb3578347dcf15329f931b6baa56ad9c43d67143f29d7187663b0fc86613f5a8b7ae04e0cdc2addad2dd437a3e8c7cc2a55cfe82f17b88aa5a35e47ef81964a880b636e929cd59036b07cd3d13f53f031838fbce346df40a986b83d9a7d645eace583d7139a317b5df2218b77589b488fd4581904ff7c5cddafe04a42b33701f045c09a1d5b85ceead877eae52c01b4c144333032d4ff4ce4506076cdd380714be525f8f22b5e6d5cb22db7d23dbdd4e5775a7541afc68ecb8536053d941bc2a1aedc9a1384536b2ca47e235f922ceffea05c17b45e28a17332d1e14aeabd9e3f002b96e05d');
INSERT INTO public.sweep_plans VALUES ('local', 'swp_01a217bbdeb1a873a16f8322038127e5', '\x7801ad53db4ec3300cfd95c9cf85766c02d4af407b455595756e17354da25c1850f5dfb103d3a68ac184784b1c1ffbf8e47884808355222094235867b60a073ef652efa08441f880ae3e18d7a3830c38b5352ea56831100a369b9bf5e343912d5ad945878b15a739d3a0f7c679289f47905cea69490f51cb50079980cb8202fe2043b387b215ca6306cc44376f945ec0941d91773324dfaf023297f3965703d7332073ffa96345d4a5ee3fc7f526ba86a5492307e13a0c7c9b8fc14577d12a7ca5d7362a45f701775290685c70a6c5a5b2f321ff5c96f99dd87e27c19fd832bfff294ba29ce9e34c0cc88a5713c593514f9afb9e5dccbea5188f22b58da1f6f29d3f862725f45984ed06d6b84005c168acf94c59dc44ea8e82ad43a4c080616fd8cf2206c3206383349a6023b0b16b250749df7d5fdc16942d6ddd094be9a981125b549c3a713741ce4f03d08af8462866967fed607edcb43cf92a2ff2938f3378112aa639f2555a93dfd0cbcbe8aa9a3e001dfe463d');

INSERT INTO public.sweep_studies VALUES ('local', 'swp_01a217bbbb07d1c1abcf8ed0079c2a8e', '\x78018d914d6e02310c85efe2f5a86198aa0b4ed13d4228840c9336b1a3c48105e2eeb519a8e802959de3f8e7bdcf6718ad632ab082013ae053c02a31a19717edbebce370f492e1a9503b4cb9b17ca4802185eaf7b01a6dacbe83a38d4dcb96bd795f686be6905a7ac834cc25386dc116630795a20e5e7680c45e96ae371db47c28767f7d9da1f84aad381dfbd9bf558f7b198c365dbf7f53d2e5268b07295b9f215340f66ac7e442bbe893c9d1f248259918f0bb9a856918782bf2d4e2584845f61232696006b874afcce9ff9f23d2b26537cdde2c6f135596251f7748ce352908843709b515b131f3512a73ac7afeb27094e410aaff11c73dfb3a1141e47cad549e61d153ce5c160ae699a1e570bbfa8b8636971fbc47cc3e');
INSERT INTO public.sweep_studies VALUES ('local', 'swp_01a217bbdeb1a873a16f8322038127e5', '\x78018d914d6e02310c85efe2f5a861181615a7e81e21144286499bd851e2c00271f7da4ca9e802955decf8e7bdcf1718ad632ab086c12ca1033e07ac12117a8968ffe91d8793970c4f85da71ca8de523050c29547f80f56863f51d9c6c6c5ab6eccd6aa1ad99436ae921d33097e0b4055b8c1d548a3ab8ef0089bd2cdd6c3b68f958ece1165da0f84aad381dfbd1bf558f07198c36ddbe7f53d2e5268b4729db5c205340f66ac8e442fbe893c9d1f248259918f0ab9a8569187827f2d4e2584845f6f26452b566806bf7ca9cfeff39222d5b76d3eccdf22e51655932dc2139d7a42010fe48a8ad888d998f5299dfaae72f0b47490ea1fa1f71dcb3af131144ced74ae519163de5cc65a1609e195a0de6fd76f5170d6dafdfae66cca4');

INSERT INTO public.sweeps VALUES ('swp_01a217bbb847d95b3f4f468c49989dcf', 'local', 'sweep', 'master_worker', 'speeds', '{"study":"a"}', NULL, 4, 4, 0, 0, 0, 4, 0, 0, '2026-11-26 12:02:18.212609+00', NULL, NULL, '2026-11-26 12:01:48.136765+00', '2026-11-26 12:01:48.518352+00');
INSERT INTO public.sweeps VALUES ('swp_01a217bbbb07d1c1abcf8ed0079c2a8e', 'local', 'what_if', 'master_worker', 'RR-4870, figure 3', '{}', 'job_01a217bbb730d169883df3ef02391e82', 2, 2, 0, 0, 0, 2, 0, 0, '2026-11-26 12:01:48.840927+00', NULL, NULL, '2026-11-26 12:01:48.823711+00', '2026-11-26 12:01:49.045875+00');
INSERT INTO public.sweeps VALUES ('swp_01a217bbdd59b5c2d715af1f479e96a9', 'local', 'sweep', 'master_worker', 'speeds', '{"study":"a"}', NULL, 2, 2, 2, 0, 0, 0, 0, 0, '2026-11-26 12:02:27.849868+00', NULL, NULL, '2026-11-26 12:01:57.605912+00', NULL);
INSERT INTO public.sweeps VALUES ('swp_01a217bbdeb1a873a16f8322038127e5', 'local', 'what_if', 'master_worker', 'RR-4870, figure 3', '{}', 'job_01a217bbb730d169883df3ef02391e82', 1, 1, 1, 0, 0, 0, 0, 0, '2026-11-26 12:01:57.949722+00', NULL, NULL, '2026-11-26 12:01:57.942169+00', NULL);

INSERT INTO public.tallies VALUES ('local', 'task_graph', 0, 1, 0, 0, 1, 0, 0, 2);
INSERT INTO public.tallies VALUES ('local', 'mono_allocation', 0, 1, 0, 0, 1, 0, 0, 3);
INSERT INTO public.tallies VALUES ('local', 'collective', 0, 1, 0, 0, 1, 0, 0, 4);
INSERT INTO public.tallies VALUES ('local', 'divisible_chain', 0, 1, 0, 0, 1, 0, 0, 5);
INSERT INTO public.tallies VALUES ('local', 'divisible_star', 0, 1, 0, 0, 1, 0, 0, 6);
INSERT INTO public.tallies VALUES ('local', 'cell', 0, 1, 0, 0, 1, 0, 0, 7);
INSERT INTO public.tallies VALUES ('local', 'bag_of_tasks', 0, 1, 0, 0, 1, 0, 0, 8);
INSERT INTO public.tallies VALUES ('local', 'replicated_workflow', 0, 1, 0, 0, 1, 0, 0, 9);
INSERT INTO public.tallies VALUES ('local', 'dataflow', 0, 1, 0, 0, 1, 0, 0, 10);
INSERT INTO public.tallies VALUES ('local', 'master_worker', 1, 3, 0, 0, 6, 0, 0, 19);
INSERT INTO public.tallies VALUES ('local', 'master_worker', 0, 2, 0, 0, 5, 0, 0, 20);

INSERT INTO public.tenants VALUES ('local', '2026-11-26 12:01:26.795578+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 323, '2026-11-26 12:01:35.758386+00', NULL);

ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);

ALTER TABLE ONLY public.applications
    ADD CONSTRAINT pk_applications PRIMARY KEY (tenant, id);

ALTER TABLE ONLY public.audit_lines
    ADD CONSTRAINT pk_audit_lines PRIMARY KEY (id);

ALTER TABLE ONLY public.compatibility
    ADD CONSTRAINT pk_compatibility PRIMARY KEY (oldest);

ALTER TABLE ONLY public.deleted_jobs
    ADD CONSTRAINT pk_deleted_jobs PRIMARY KEY (id);

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT pk_idempotency_keys PRIMARY KEY (tenant, key);

ALTER TABLE ONLY public.job_events
    ADD CONSTRAINT pk_job_events PRIMARY KEY (job_id, seq);

ALTER TABLE ONLY public.job_instances
    ADD CONSTRAINT pk_job_instances PRIMARY KEY (job_id);

ALTER TABLE ONLY public.job_labels
    ADD CONSTRAINT pk_job_labels PRIMARY KEY (job_id, key);

ALTER TABLE ONLY public.job_results
    ADD CONSTRAINT pk_job_results PRIMARY KEY (job_id);

ALTER TABLE ONLY public.job_traces
    ADD CONSTRAINT pk_job_traces PRIMARY KEY (job_id);

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT pk_jobs PRIMARY KEY (id);

ALTER TABLE ONLY public.keys
    ADD CONSTRAINT pk_keys PRIMARY KEY (id);

ALTER TABLE ONLY public.platforms
    ADD CONSTRAINT pk_platforms PRIMARY KEY (tenant, id);

ALTER TABLE ONLY public.probes
    ADD CONSTRAINT pk_probes PRIMARY KEY (id);

ALTER TABLE ONLY public.replans
    ADD CONSTRAINT pk_replans PRIMARY KEY (id);

ALTER TABLE ONLY public.schedule_chunks
    ADD CONSTRAINT pk_schedule_chunks PRIMARY KEY (tenant, schedule_id, part, number);

ALTER TABLE ONLY public.schedules
    ADD CONSTRAINT pk_schedules PRIMARY KEY (tenant, id);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT pk_sessions PRIMARY KEY (hash);

ALTER TABLE ONLY public.sweep_plans
    ADD CONSTRAINT pk_sweep_plans PRIMARY KEY (sweep_id);

ALTER TABLE ONLY public.sweep_studies
    ADD CONSTRAINT pk_sweep_studies PRIMARY KEY (sweep_id);

ALTER TABLE ONLY public.sweeps
    ADD CONSTRAINT pk_sweeps PRIMARY KEY (id);

ALTER TABLE ONLY public.tallies
    ADD CONSTRAINT pk_tallies PRIMARY KEY (tenant, kind, lane);

ALTER TABLE ONLY public.tenants
    ADD CONSTRAINT pk_tenants PRIMARY KEY (tenant);

ALTER TABLE ONLY public.tombstones
    ADD CONSTRAINT pk_tombstones PRIMARY KEY (tenant, job_id);

ALTER TABLE ONLY public.workers
    ADD CONSTRAINT pk_workers PRIMARY KEY (tenant, id);

CREATE INDEX ix_applications_tenant_created_at_id ON public.applications USING btree (tenant, created_at, id);

CREATE INDEX ix_applications_tenant_used_at ON public.applications USING btree (tenant, used_at);

CREATE INDEX ix_audit_lines_tenant_id ON public.audit_lines USING btree (tenant, id);

CREATE INDEX ix_deleted_jobs_tenant_deleted_at ON public.deleted_jobs USING btree (tenant, deleted_at);

CREATE INDEX ix_idempotency_keys_created_at ON public.idempotency_keys USING btree (created_at);

CREATE INDEX ix_idempotency_keys_job_id ON public.idempotency_keys USING btree (job_id);

CREATE INDEX ix_job_labels_tenant_key_value_job_id ON public.job_labels USING btree (tenant, key, value, job_id);

CREATE INDEX ix_jobs_claims ON public.jobs USING btree (tenant, state, lane, priority DESC, failures, sweep_index, id);

CREATE INDEX ix_jobs_state_failures_id ON public.jobs USING btree (state, failures, id);

CREATE UNIQUE INDEX ix_jobs_sweep_id_sweep_index_sweep_try ON public.jobs USING btree (sweep_id, sweep_index, sweep_try);

CREATE INDEX ix_jobs_tenant_finished_at ON public.jobs USING btree (tenant, finished_at);

CREATE INDEX ix_jobs_tenant_id ON public.jobs USING btree (tenant, id);

CREATE INDEX ix_jobs_tenant_name_id ON public.jobs USING btree (tenant, name, id);

CREATE INDEX ix_jobs_tenant_outcome_id ON public.jobs USING btree (tenant, outcome, id);

CREATE INDEX ix_jobs_tenant_schedule_id ON public.jobs USING btree (tenant, schedule_id);

CREATE INDEX ix_jobs_tenant_state_id ON public.jobs USING btree (tenant, state, id);

CREATE INDEX ix_keys_tenant ON public.keys USING btree (tenant);

CREATE INDEX ix_platforms_tenant_created_at_id ON public.platforms USING btree (tenant, created_at, id);

CREATE INDEX ix_platforms_tenant_used_at ON public.platforms USING btree (tenant, used_at);

CREATE INDEX ix_replans_tenant_created_at ON public.replans USING btree (tenant, created_at);

CREATE INDEX ix_replans_tenant_id ON public.replans USING btree (tenant, id);

CREATE INDEX ix_sessions_key_id ON public.sessions USING btree (key_id);

CREATE INDEX ix_sessions_used_at ON public.sessions USING btree (used_at);

CREATE INDEX ix_sweeps_tenant_finished_at ON public.sweeps USING btree (tenant, finished_at);

CREATE INDEX ix_sweeps_tenant_id ON public.sweeps USING btree (tenant, id);

CREATE INDEX ix_tombstones_purged_at ON public.tombstones USING btree (purged_at);

CREATE TRIGGER tally_changed_jobs AFTER UPDATE OF tenant, kind, lane, state ON public.jobs FOR EACH ROW EXECUTE FUNCTION public.tally_jobs();

CREATE TRIGGER tally_deleted_jobs AFTER DELETE ON public.jobs FOR EACH ROW EXECUTE FUNCTION public.tally_jobs();

CREATE TRIGGER tally_new_jobs AFTER INSERT ON public.jobs FOR EACH ROW EXECUTE FUNCTION public.tally_jobs();

ALTER TABLE ONLY public.job_events
    ADD CONSTRAINT fk_job_events_job_id_jobs FOREIGN KEY (job_id) REFERENCES public.jobs(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.job_instances
    ADD CONSTRAINT fk_job_instances_job_id_jobs FOREIGN KEY (job_id) REFERENCES public.jobs(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.job_labels
    ADD CONSTRAINT fk_job_labels_job_id_jobs FOREIGN KEY (job_id) REFERENCES public.jobs(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.job_results
    ADD CONSTRAINT fk_job_results_job_id_jobs FOREIGN KEY (job_id) REFERENCES public.jobs(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.job_traces
    ADD CONSTRAINT fk_job_traces_job_id_jobs FOREIGN KEY (job_id) REFERENCES public.jobs(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT fk_jobs_tenant_schedule_id_schedules FOREIGN KEY (tenant, schedule_id) REFERENCES public.schedules(tenant, id);

ALTER TABLE ONLY public.schedule_chunks
    ADD CONSTRAINT fk_schedule_chunks_tenant_schedule_id_schedules FOREIGN KEY (tenant, schedule_id) REFERENCES public.schedules(tenant, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT fk_sessions_key_id_keys FOREIGN KEY (key_id) REFERENCES public.keys(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sweep_plans
    ADD CONSTRAINT fk_sweep_plans_sweep_id_sweeps FOREIGN KEY (sweep_id) REFERENCES public.sweeps(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sweep_studies
    ADD CONSTRAINT fk_sweep_studies_sweep_id_sweeps FOREIGN KEY (sweep_id) REFERENCES public.sweeps(id) ON DELETE CASCADE;
