SELECT pg_catalog.set_config('search_path', '', false);

CREATE FUNCTION public.tally_jobs() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN IF TG_OP <> 'INSERT' THEN UPDATE tallies SET queued = queued - CASE WHEN OLD.state = 'queued' THEN 1 ELSE 0 END, running = running - CASE WHEN OLD.state = 'running' THEN 1 ELSE 0 END, cancelling = cancelling - CASE WHEN OLD.state = 'cancelling' THEN 1 ELSE 0 END, succeeded = succeeded - CASE WHEN OLD.state = 'succeeded' THEN 1 ELSE 0 END, failed = failed - CASE WHEN OLD.state = 'failed' THEN 1 ELSE 0 END, cancelled = cancelled - CASE WHEN OLD.state = 'cancelled' THEN 1 ELSE 0 END WHERE tenant = OLD.tenant AND kind = OLD.kind; END IF; IF TG_OP <> 'DELETE' THEN INSERT INTO tallies (tenant, kind, queued, running, cancelling, succeeded, failed, cancelled) VALUES (NEW.tenant, NEW.kind, CASE WHEN NEW.state = 'queued' THEN 1 ELSE 0 END, CASE WHEN NEW.state = 'running' THEN 1 ELSE 0 END, CASE WHEN NEW.state = 'cancelling' THEN 1 ELSE 0 END, CASE WHEN NEW.state = 'succeeded' THEN 1 ELSE 0 END, CASE WHEN NEW.state = 'failed' THEN 1 ELSE 0 END, CASE WHEN NEW.state = 'cancelled' THEN 1 ELSE 0 END) ON CONFLICT (tenant, kind) DO UPDATE SET queued = tallies.queued + excluded.queued, running = tallies.running + excluded.running, cancelling = tallies.cancelling + excluded.cancelling, succeeded = tallies.succeeded + excluded.succeeded, failed = tallies.failed + excluded.failed, cancelled = tallies.cancelled + excluded.cancelled; END IF; RETURN NULL; END $$;

CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);

CREATE TABLE public.applications (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    id character varying(63) NOT NULL,
    summary text NOT NULL,
    packed bytea NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE public.compatibility (
    oldest character varying(31) NOT NULL
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
    CONSTRAINT ck_jobs_counts CHECK (((attempt >= 0) AND (failures >= 0) AND (seq >= 0))),
    CONSTRAINT ck_jobs_failed CHECK ((((state)::text = 'failed'::text) = (error IS NOT NULL))),
    CONSTRAINT ck_jobs_finished CHECK ((((state)::text = ANY ((ARRAY['succeeded'::character varying, 'failed'::character varying, 'cancelled'::character varying])::text[])) = (finished_at IS NOT NULL))),
    CONSTRAINT ck_jobs_leased CHECK ((((state)::text = ANY ((ARRAY['running'::character varying, 'cancelling'::character varying])::text[])) = (lease_until IS NOT NULL))),
    CONSTRAINT ck_jobs_outcome CHECK (((outcome)::text = ANY ((ARRAY['optimal'::character varying, 'feasible'::character varying, 'infeasible'::character varying, 'bound_only'::character varying, 'unknown'::character varying])::text[]))),
    CONSTRAINT ck_jobs_state CHECK (((state)::text = ANY ((ARRAY['queued'::character varying, 'running'::character varying, 'cancelling'::character varying, 'succeeded'::character varying, 'failed'::character varying, 'cancelled'::character varying])::text[]))),
    CONSTRAINT ck_jobs_succeeded CHECK ((((state)::text = 'succeeded'::text) = (outcome IS NOT NULL)))
);

CREATE TABLE public.platforms (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    id character varying(63) NOT NULL,
    summary text NOT NULL,
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

CREATE TABLE public.tallies (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    kind character varying(63) NOT NULL,
    queued integer DEFAULT 0 NOT NULL,
    running integer DEFAULT 0 NOT NULL,
    cancelling integer DEFAULT 0 NOT NULL,
    succeeded integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    cancelled integer DEFAULT 0 NOT NULL
);

CREATE TABLE public.workers (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    id character varying(255) NOT NULL,
    versions text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    seen_at timestamp with time zone NOT NULL
);

INSERT INTO public.alembic_version VALUES ('0002');

INSERT INTO public.compatibility VALUES ('0001');

INSERT INTO public.idempotency_keys VALUES ('local', 'cell-search', 'body_4ed7de41d543e448b30516bc14287fdf', 'job_01a217baa3dfe89befce7042d6c794bc', '2026-11-26 12:00:37.346923+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'cell', 'body_6ffc7b19ed19efa92abe125fab503ad3', 'job_01a217baa989514963187c775ee69db4', '2026-11-26 12:00:38.797742+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'divisible_chain', 'body_a6478bfc46e852818149fe00b012a789', 'job_01a217baaa8d415cfca0d1caefcfd4e1', '2026-11-26 12:00:39.060133+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'master_worker', 'body_39e595b60384048fc292ceb4216215cb', 'job_01a217baac5d7e5090a0cb04e8a2039c', '2026-11-26 12:00:39.519186+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'mono_allocation', 'body_71aff98e0d8570d5f980ad7c51ef334c', 'job_01a217baad5760154c3a234ddd2fe21c', '2026-11-26 12:00:39.773406+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'task_graph-bounded', 'body_8c8fb514e7a557c34d7267187d6dca01', 'job_01a217bab530e78f65a1bb6937486574', '2026-11-26 12:00:41.77773+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'task_graph', 'body_169e5b609001468029beca4458690ee9', 'job_01a217bab630962477f622489247cbdc', '2026-11-26 12:00:42.036755+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'by reference', 'body_ce9c615f1fbf01ba9ea47b268a142850', 'job_01a217bab74b5c0707718af4c567cc31', '2026-11-26 12:00:42.316455+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'all options', 'body_f1de396b24a5c37ec66d544c8fa2a63e', 'job_01a217bab850fec14dfc26709a376cc3', '2026-11-26 12:00:42.581457+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'cell, queued', 'body_0ba6cecb9a057d7eb8bdfee6ed460e42', 'job_01a217bad03c4fb0ab666a509f59515a', '2026-11-26 12:00:48.718692+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'divisible_chain, queued', 'body_17446ff708feb27bc6ac88d84709cb7c', 'job_01a217bad08cd3a105bbf6584a76654e', '2026-11-26 12:00:48.781863+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'master_worker, queued', 'body_93663779ffdae7b6295978206aea4a48', 'job_01a217bad0a08423097af6ccd93f7128', '2026-11-26 12:00:48.802095+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'mono_allocation, queued', 'body_34d6a79c3d92cd032ba569437ecb8646', 'job_01a217bad0b1e03b3f3b3ba51e255eeb', '2026-11-26 12:00:48.828066+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'task_graph, queued', 'body_3599fa4b7e235cf20eb3d19ce3324926', 'job_01a217bad0d1252710c90bec2b40e308', '2026-11-26 12:00:48.855996+00');

INSERT INTO public.job_events VALUES ('local', 'job_01a217baa3dfe89befce7042d6c794bc', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:00:37.365281+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217baa3dfe89befce7042d6c794bc', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:00:37.43698+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217baa3dfe89befce7042d6c794bc', 3, 'progress', '{"phase":"certifying","iterations":3,"elapsed":0.07}', '2026-11-26 12:00:38.481427+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217baa3dfe89befce7042d6c794bc', 4, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:00:38.763739+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217baa3dfe89befce7042d6c794bc', 5, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:00:38.764944+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217baa989514963187c775ee69db4', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:00:38.811955+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217baa989514963187c775ee69db4', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:00:38.825946+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217baa989514963187c775ee69db4', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:00:38.881644+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217baa989514963187c775ee69db4', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:00:38.883725+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217baaa8d415cfca0d1caefcfd4e1', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:00:39.065735+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217baaa8d415cfca0d1caefcfd4e1', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:00:39.090787+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217baaa8d415cfca0d1caefcfd4e1', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:00:39.337158+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217baaa8d415cfca0d1caefcfd4e1', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:00:39.337589+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217baac5d7e5090a0cb04e8a2039c', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:00:39.523657+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217baac5d7e5090a0cb04e8a2039c', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:00:39.557734+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217baac5d7e5090a0cb04e8a2039c', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:00:39.575094+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217baac5d7e5090a0cb04e8a2039c', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:00:39.575481+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217baad5760154c3a234ddd2fe21c', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:00:39.778002+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217baad5760154c3a234ddd2fe21c', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:00:39.801882+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217baad5760154c3a234ddd2fe21c', 3, 'progress', '{"phase":"building","elapsed":1.74}', '2026-11-26 12:00:41.56271+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217baad5760154c3a234ddd2fe21c', 4, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:00:41.648395+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217baad5760154c3a234ddd2fe21c', 5, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:00:41.649017+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bab530e78f65a1bb6937486574', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:00:41.780287+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bab530e78f65a1bb6937486574', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:00:41.805344+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bab530e78f65a1bb6937486574', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:00:41.896398+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bab530e78f65a1bb6937486574', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:00:41.896958+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bab630962477f622489247cbdc', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:00:42.041771+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bab630962477f622489247cbdc', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:00:42.080459+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bab630962477f622489247cbdc', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:00:42.150702+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bab630962477f622489247cbdc', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:00:42.154353+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bab74b5c0707718af4c567cc31', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:00:42.323713+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bab74b5c0707718af4c567cc31', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:00:42.339121+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bab74b5c0707718af4c567cc31', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:00:42.3849+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bab74b5c0707718af4c567cc31', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:00:42.388455+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bab850fec14dfc26709a376cc3', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:00:42.588908+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bab850fec14dfc26709a376cc3', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:00:42.636668+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bab850fec14dfc26709a376cc3', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:00:42.69299+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bab850fec14dfc26709a376cc3', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:00:42.700711+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bad03c4fb0ab666a509f59515a', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:00:48.742605+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bad08cd3a105bbf6584a76654e', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:00:48.788538+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bad0a08423097af6ccd93f7128', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:00:48.804865+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bad0b1e03b3f3b3ba51e255eeb', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:00:48.830901+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217bad0d1252710c90bec2b40e308', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:00:48.858714+00');

INSERT INTO public.job_instances VALUES ('local', 'job_01a217baa3dfe89befce7042d6c794bc', '\x7801ad92dd6ac3300c85df45d766385e1b36bf4a29c649bc4544fe2131f422e4dd2ba5e472a3d0faca928f3ec9f659a1ccb9a310c1ae30611ac0421f884041f4fd8829c841296101db2858f68d51d0f934dc70a823ebcd591f8bcb28f79edc52f3cca5605ad39c4e9c1ea277986a768c6054fbc870e038c77cb05f9b025f0a61ef2be6247dab5f266e7c590165b0aa1954318647017c1fe1ce84338773f0a214e16dc62a23c8be843081d59b3a48cd51bab77e8564fe25c9d59f9de9f36d24e9faf73b499f676792377d0fa97d957455f0832446bc5cd92a31d431cb5f47a4029cc8456cc3c7ec1bf10861c40ab6d51f9ad558dcaf2fbb1d584bbe0b24d26dbb032c23e2bd');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217baa989514963187c775ee69db4', '\x7801ad92db6e83300c865f65f2355a09ed50c7ab4c154a212b1e3929c9546988779f0da4d334b557e32afcf9fdf9104fe0833b6b65a0996044db43039dd21a0a30b21bd02abef05e45684401713954059ca5edafd8a781fcd54b993f0ad3ae93ba8dc9050a85aaaec4e140726f648b36b9961084aa57857e5ad2880fcd712e407aafb193099de5bc561a86bca34e2a3c51ce914849c691aa799b00b9da48118965346a0581d82d156571c948e252278941490e14f5fec8955d0326ce52d2d92b354253cec506d7ee9a294b8df0ba134baf595dd9fb1f758333ec2f58dcc0035e86ccf85ff28743fb9b2c1e5697c7905b3f153c6f7e6f9a70749fa1e3e1dca62cc3452512d6c944fce2dba378ad807bbbefdf1abe1bb04d3ae3b72eeedaf3fc1ef94fb45046a5c1f16b1bd49e4a04e779b9a8bb69dd188d86d6a7a9cbe792dce8db8bf4642fd9abe55969b6cef33705f5f066');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217baaa8d415cfca0d1caefcfd4e1', '\x7801bd52cb52c3300cfc958ece1d0885e1d06fe8813bd3f1288eda8a3ab6b1951426d37f474a79f4c0850b4759abd5ee5a13e492da403dac273872ec600d1d8f5c591f9d3f204758420e28bb546650c49e1424a7b4a0d701c342093cd59a4a35e44fb17e9e808defe94e1b436471c2f3ecfded83bed4138b3fc07a87a1d212740545ffaef806cecbafd1d59f47b74ac5f158c1f6d734146f72670d82654f6295d1b618bb1377a212c01476430ef4a6c56e0841eb9e3a466531c26b6d5a5fb54a1a846cd9f6acb884dd65f16c7c63b43ef5bd9af7289ca21b5318e60c3e5b79905f1a1cab60083d4551bad5120a05c24aae5321aab051de13f1fe60668ca96622db3c9dbfa3db98c7ff5eaed9e0881cb0e5c0a29f39692a3915b301550a7b712992b3279597da17f2c2a379eaf14835a39d9b661acdcd9d252d87644714b25e05a46c299a51b05b72817bd60c1e9b9b46b19cdd1eb382ed82f4d35a0a974c3e00ad70f399');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217baac5d7e5090a0cb04e8a2039c', '\x7801ad525d6bc3300cfc2b45cfd948b7b28dfc8ad1d752829b2aad8863197fd06d21ff7d52c66809db28656f967c773e9d35800fbcb3d8433540476e0f15f426260cf5894387010af0d6a496c30471a64781acd777ab97e7b258b474c801178f0a0bdc608c1c22549b0148a55e9772911da53ad1445c96d288274acd11aad6d88805883cbae65de0258cc537f361c6d4fa2aa27ab97cf26ae26a4654ef7fbdb815ebe4baaf7123e7d06834d3c8c9840326ade663a8e83e7b8b6f72db666ba5ee714f464253c15916bfc9ce87bc5956fd9dddfe14c14d6ed5dfffc84a2817f904ce0935f1ed28fd6951cf99c74eb758f7567a3a0a399f531de9433f462715f64547d70d3c872482c00e6b3d0baac774645d5f93132b867d2276821a40f7b8b6d493fcee53795f0a9a7c7d305ee0939e353bb40a1dc74f86450d22');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217baad5760154c3a234ddd2fe21c', '\x7801ad54c16edb300cfd1543e7a073b2ad187cdca5a77d4111048a2d2744245190e8b85de07f1fe9c84ad70c680fbb49d6e3e323f9e88b0a11f7d638d55cd4097ca71ae5d0e34e5b8bad2640af562a584d3dc619e4b5330cd255cb87a82bedbb8a46ac9289671313a3070f94848f6086cab74e93e6a85f3ff93c623cf1f9a9b718d4c4ec115b93127270f37c51201aaee40c4e23507b544daf6d322bc5428c6f5f195173680627c76a051b8c91e0f527e3ac8e07f3266ef341dc96f3833f5d65261c622b9d285249e888bf2c7af6dc9b113a62f9b3a66e08d6bcf0a51f66bdce74c05d7916de777515f685ab902fa2ff07f9bdf47fb27f91c67c563c17f3a6ae8803990f1bb6643dcfedc8fddb4e5b36870ec14236225b2abbaf47b6e7588d474d95c333675829d2298f263b28d01065bc62c3d98fb9dc467d5553318fb670108f67573ede6cd519322ddd9e7edc9e28eaf6747bf9a6262ebb077b5f6a11b19863c997e0b7b8e7fb4c5ac6bdbc9671171119cfa9d8f6055f9e4bc0222de3377fe35b7d27e85dc09a6be1be078cb2c4ca0d96402e5cad0c13fc410c0c2fbc69575394e9288f5efaed0c1d51f650c2785280823441f660c35b3a2f69bd52e01369cfabaf9a755dd79c1483fc70e659c9d076161cf0423dd60f0c771076071d9857569f37666fac40a7e90fa3de89c4');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bab530e78f65a1bb6937486574', '\x7801b554cb6ec23010fc15b4e7d0865769f3150871ab50648213b624b6653b2a6d947fefae799548a848859b93194f666777d380b17a55ca0a9206b6a8d69080176e9b1656980d44604ae1736d03ae4425099fcffbe3d7691cf5722c6a2b7b6f4cb33a93ce69eb20796f0059673620c07da2cf3690e4a274320252932afb223486363a1287b71247b712c7b712277f1097e419d5765f96d3b5cd3882509a17b6909e9fd87fadd0a71e43425cf8ba36a5dc11eab00aa7082ab94641f9b06627876bca5cf0bd94d9e5d93327f418658ef45eca5cff633c5f2affd33375f45773adaebde48959b61108634acc8447ad78c70e3b442bb5ed7f6854a13e7798afb0360b9e1e1e24526878d21218407b5a964568e3091e76e150d7091e75616efb597c4c30ebcd26e1d0b654488e6530dfc06928f7968ee31e1c38fce645183c0fc31e5fa3b29babd48b815c84953da876342f7ad52172c6465b4f69815632e5337d947b80aaa097b995925e54d26f34ff9644ed35e98336dc93103207929658216df34bfc14131b4d5a0843f498ef8a5d6aa4c5707f1a4aa60d5ec9926fb7ed0f39ae9d86');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bab630962477f622489247cbdc', '\x7801b554d96ec23010fc15b4cfa10d578f7c0542bc552832c109db24b6653bea11e5dfbb6bae120915a9f01632a3617676272d18abd795ac2169a144b58104bc70655a5861b61081a984cfb50db812b5247cb1184e5f9ee3689063d1583978659ad599744e5b07c95b0bc83af31101ee037db6852417959311909a54d917a13174d18138be9638b99638bd9638fb83b822cfa8cadd584e3736e308c2685ed8427afec5fe1b853ef51812e2c1378da9e427a10eebf014412d3728281fd6ece570499907be9532bb3c79e684eea3cc91de4a99e7bf8fe773e57f7aa68dfe5aaed58d977c31ab2e02614c8599f0a815776cdf21aa54397cd7a8c27c6e7f5fa1364bbe1e3e245268f9d2121841772ccb32acf1088ffb7098eb084ffa30affd243e2598f5e6b3f0d07534488e5530dfc2f12877960ee71e1c38fce6228c1ec7a1c797a8ece622f5ec2097a1b27bd59ee6d9ae7a44ced868eb292dd04aa6fc4c7fca3b4055d0cbdc4a492f6ae9b79a3f4ba2f19af4411bde49089903492bac91dafc143fc4c4469316c2109dbf5354d7b5ac98da753fc60697d8');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bab74b5c0707718af4c567cc31', '\x7801ad52d14ec3300cfc95c9cf05159800f52bd05ed15465adbb454de3287134a0eabf6317a14d15a069e2ad71ee2ee7eb8d1022ed1c0e508dd05bdf420583498cb13e52ec314201c119ee28ce106f0614c86673b37e7e2a8b5567f739e2ea4161911a4c896282ea7504ab522f777291bde59aed4cbc2b65908e969b03549d71090b1079f4cdbbc04b988a6fe6fd82a9e78b88eae5fcc98b89eb0551bdfff5e256ac5bdf7fad9b28c746a399576613f7c87a5aaea1a26d0e0edfe4b6cbcec979c0d61a094d051759fc26bb5cf26a59f57772fb530457b9557fff232ba19ce51329336ae2db49e673514f99a75e5bacbd9599ae627dc85c27fba13f463715f6d944eb0681228b2090c75abf0535201f48eb6b32936228b0252fa811b4c7b5b38395bffb58de9682b6a1de9b20f059cf991dba199a38b7da6a722d4cd3274ba6115c');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bab850fec14dfc26709a376cc3', '\x7801ad52cb6ac33010fc95b067b7b59b4083bfa2e45a82509c75b25896841e24adf1bf77d7a52498b684d09bb59a19cd8e67001fdcce600ff5001dd93dd4d0eb9830a8930b1d0628c01b9d5a172688d53d3264b37958ad5fca62d1d221075c2c05165c8331ba10a17e1b8044eab5e28b6c29a94413b12a79104f949a23d4ad36110b6079b4cd3bc34b188b6fe6f38c29e79b88e2e5fac99b89ab1951bcfff5e296ad93edbed68d2e8746a299564e3a1c30c969be8688eeb33778e6db361bc3e71ef7a43934119c65f19bec7cc9bb65c5dfc5ed4f11dce556fcfd8f2c8772954f7039a124be1d793e15f59279eca4c5d25b9ec92a647d4e2ad287fc18d994d95713a91b7817120b82b3a8e49b513da6a393faea9c9c609c4fe42ca306901e2b433df1df5d968f25a3c9ab83f60caf9eaa52faddebb3f21868d258cbe4747406554b46bca79091458ddea111cd71fc048bfb1a59');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bad03c4fb0ab666a509f59515a', '\x7801ad93d16e83300c457f65f2335a09ed50cbaf54154a212b1e09c942aa4a43fcfbec403a4d53fb349ec28d7d6c5fcc04cedbb35606aa097a1c5aa8a0515a430646361d0e8a2f9c5323542283311e8a0cce72686fd8868ee28bb73c3d94a66d23753d06eb29158ab210bb1dc9ad91350ec1d6842054b928f45293467ca8f67306d2398d8d0c6807ae3b48c39077d441f917aad91329c8b1a76e8e1320773b524660198d5a402036b1a324c68a24c63e49f44a72a228b77beeece63170959cce4ea91eaa7cce56b8b6b744893dc26123e2ac495dd8db1f758533ec2f58dcc11d5ebac4f85ff287c5e137593ced2ed990463f65ec377f6f7278b457dfb0397797a5bfa840c2e2cc885f7cbb17870278b6c7f1ebc00f1356a7137e9de26178f2ef59fc8916caa8d059feda06b5a316c13a5e2e9a6e5a3646a3a1f5a9cafc35a76874f5453a0acf3956cbb3d231f4f3aaaeeafe6fccf337407af551');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bad08cd3a105bbf6584a76654e', '\x7801bd52cb6e02310cfc15e4336a81563df00d1c7aafd0ca9b35e0924d42e240abd5fe7beded8b03975e7a743c1ecf4c3c40cab1f5d4c37a8023870ed6d0f1990beb63e30ec801e6903cca2ee60914b02705c925cee854d1cf94c05129311743fe16eb9701d8f89e97daa881a5119e661fee1ff5a55c58dc01d63bf485e6a02b28b877c52f609c7f8faefe3cba552a0ec702b6bfc49a9dc99d3408e63d895546db62e82edc894a0053d8d5e4e94d8b5df55eeb9e3a466531c26b6d5a5fb572ac42b66c3b2a2e62f7b97832be315a17fb5ecd3b148ea139475fa70cbe5aa9ca8d068722e87d4f41946e35874c9eb050d3a91055b850de0bf1fe60668ca92422db3c8c3fd16dcce37f2fd76cf08cecb165cfa29f39682a2966b30145323b6962a0c69e545e6c5fc9099fcd538f472a09eddc34d3606e9696b41ca21d914f7a151093a56846c16ea9f1dcb366f0b4b85b289653b3c7a460bb20fdb496fc043d55aa74ebb2c7f103e2f7fd01');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bad0a08423097af6ccd93f7128', '\x7801ad53cb4ec3400cfc95cae780025480f215a8575445dbd469ad6cd6cb3e5420cabf6307a156e1a1aae2167b6766c7b3ce003ef0c6620fd5001db92d54d09b9830d4070e1d0628c05b935a0e13c4991e05b25a5d2d1f1fca62d1d22e075cdc292c7083317288503d0f402af5742307d951aa134dc49b521af140a9d943d51a1bb1009147d7bc09bc84b1f862dece985a9f45542fa7579e4d5cce88eafdaf1bd7629d5cf7396ee41c1a8d661a3999b0c3a4d57c0c15dd666ff1554edb6cadd43d6ec948682a38cbe237d9f99017cbaabfa3db9f22b8c8adfafb1f5909e5249fc039a126be1ea53f2dea31f3d8e916ebde4a4f4721e773aa23bdebc3e8a4c23ee9e8ba81e7904410d861addf82ea31ed59d7d7e4c48a619f889da006d03dae2df524af7b5f5e9782265fef8c17f8a467cd06ed047dc998f1fb0f358e1f272115f2');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bad0b1e03b3f3b3ba51e255eeb', '\x7801ad54418edb300cfc8aa173d03a69bb287ceca5a7be6011048a2d2744245195e878dbc07f2fa9d8ca3629b07be84db286c32139f44585887b6b9c6a2eea04be538d72e871a7adc55613a0572b15aca61e630679ed0c8374d5f221ea4afbaea211ab64e2d9c4c4e8c10325e123c850f9d669d21cf5e31b9f478c273e7fef2d0635317bc4d6a4841cdc3c5f1488862b3983d308d41e55d36b9bcc4ab110e3db5f8ca839740627c76a051b8c91e0f53be3ac8e07f32a6ef346dc96f3833f5d65261c622b9d285249e888bf2c7af6dc9b113a62f9595337046b5ef8d20f59af331d70579e85f7aeaec2be7015f245f4ff207f94fe4ff68fd298f78ae7625ed5157120f366c396ace7dc8eb97fdb69cbe6d02158988dc8969addd723db73acc6a3a6cae19933ac14e9348f667650a021ca78c586d98f73b98dfaa4a6621e6de1201e9f5df974b35567c8b4747bfa7a7ba2a8dbd3ede5b39ab8ec1eec63a945c4628e255f82dfe29e2f99b48c7b792de32e22663ca762db177c792e018bb419bff91bdfea074177016bae85fb1e30ca122b375802b970b5324cf0073130bcf0a65d4d51a6a33c7ae9b7337444d94309e349010ad204d9830d6f695ed27aa5c027d29e575f35ebbaae392906f9e1e459c9d076161cf0423dd51f18ee20ec0e3a30afac3e6fccded80cfd399821effdfd8f6b9afe001a21934d');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217bad0d1252710c90bec2b40e308', '\x7801b554db4ec3300cfd15e4e702dd855bbf629af686a62a746e67da262149c5a5eabf63873158a58949c05b9a73747a7c6ca707ebcc43832d643dd4a437904150bece2ba7ec1612b08d0aa57111d7aa45c697cbf3f9ed4d9a9c9554750ecfee84e64c81de1be721bbef8144673161c03f5328b69095aaf19800aba12e5e194d61483e89d35389b35389f35389573f10d7ec9974fd5196379d2b2482585a50aec2205fe2bfd314f2403121297cd3d9065f18f5d4c653022d6e48713ea239cae198b214fc57cae2f2cbb324f43fca12e95f294bfdffe3f950f9979eb9a3df9aeb4c175026663d24a0ac6da850818c961ddbed10af547dfe6848c7fafc6ebee2daac647a649058a19749cb6002c37e5956b18d7b783a86635d7b783686a5ed5fe27386456f71150fc3c08594d444f33dec87f2c3d2e7b847079ede64112697d3b8c7c7a8e2e628f5602057716577aa23cd835e8d8892b1352e705a6034e672e69f4a0f48577c593a44be68316c8d3c4baa0b86f5c158e9490c5902c91b6a89b7f93abd48994d36af9465babc53bcae0fd844ea53871d8e5ec961780786c79f47');

INSERT INTO public.job_labels VALUES ('local', 'job_01a217bab74b5c0707718af4c567cc31', 'study', 'old');
INSERT INTO public.job_labels VALUES ('local', 'job_01a217bad03c4fb0ab666a509f59515a', 'queued', 'cell');
INSERT INTO public.job_labels VALUES ('local', 'job_01a217bad08cd3a105bbf6584a76654e', 'queued', 'divisible_chain');
INSERT INTO public.job_labels VALUES ('local', 'job_01a217bad0a08423097af6ccd93f7128', 'queued', 'master_worker');
INSERT INTO public.job_labels VALUES ('local', 'job_01a217bad0b1e03b3f3b3ba51e255eeb', 'queued', 'mono_allocation');
INSERT INTO public.job_labels VALUES ('local', 'job_01a217bad0d1252710c90bec2b40e308', 'queued', 'task_graph');

INSERT INTO public.job_results VALUES ('local', 'job_01a217baa3dfe89befce7042d6c794bc', 1, '\x78019553cb6edb3010fc1581975c8c54925f95ef45730c9063501834b5b2d85022412d9d1886ffbdb374823a488bb41020ae96c399dd1deaa49eecd8aa8d32e49c9a299fd8f88190f081eda0253710f75e3083754130bb9f64d81e803aa9516734f7d1a77d1f120370d02e0945f5a5aaf0a94388fe456dcadbb279ff54e799daf924059cfee3d44cd18b36ac369d76138163af03e44a68198a6c3b6b34e7eaf818a4908974343db643b48626a8e1d0e85b09ab999abc3b5004eece7ebf7b50d843c1bebb3e887dd0120ae59808474c4f6d7299dcf45baacbc5bc6eaa562f175f979d5e36cd7abd2eeb92d6d5bcd9d5907ed671b4e31e8a8f3f449c45fc513df7c7021fc5e0236d8a87fb6f55010330479a0aed5cc13d1530826645e76371c3f5cd0cef797eaf6e14a8024acbf6e4610f98366464a05ca2837b30429d2bc460974ab8bec4393fbf8a175798e555bc7ac360329d8d136f2f9a68e0a282198a802ce09605b4b280511690c9029eec78ea3a8ad23daa77de68b79d18ed237152260752aa94972619797636fb51afea6ab18043d740e9e96f4028b483fe03f3e45334901c9373b83618350a2a71b9617bb5fa28f0091e3ade9814345b3f66b9486f477233b7afaecafc61279a825d22f31e57ff0b4e3cfd886bd41955ec3cb3a391ccd3ab6957c02910b5db847fe5a442a0ad1fdd11a8d5fcf29fee23b62551af2571c62d67f433b135d9e9838e56ef9cdcdbbac6ccfc3871d4766424aaf5ef1fea7cfe05383d4aa8');
INSERT INTO public.job_results VALUES ('local', 'job_01a217baa989514963187c775ee69db4', 1, '\x78019555cb6ee23014fd95c81b3611258fa629fbd9579a653542c631c4ad135b8e438b10ff3ee73a01c2f4c5b088e2f8dc73ce7dd81cd8ab6a2bb664426acd62667a2f4c23f1c158af1a4edf1ae96b439846694b98f58b145eed803ab09607b4af9de9b7b5ed3d003bae7ba24816f4bbcbf0895bebcc3b5b66f49b87e7f0288e315b9b9e3c1cfe2f3066f29d0bcf96def5122c5b6ea1b9809890ceab8d12dc078b7e6fc98db6abaae75af93d20d629213bd27c7afa95cc9133ac4f3ca70940bf3fdd7a1876d28f410f0c365a531171db6b1db3cee89d74c30a7ba881d9c0ca601c85920e3e2572a71c0017b5ac7a4d3ef0ba7a4cabbc1445992755f528b342948b34abf82697d99a17828cbc71d7aa760bc1e73fa4ed49fb99bdd5fb088ba8314e2e234a311a53ec22ae75e46b19a1bd328e36c645b3cea22cb3389abd18d5ce18982c9c859e67774317a1d5a089d0a2a28500b82466ec68f38605ca956251ab6d3dac688b184f405460a35ce757037b28ffc8948c24f9291e2f436818907eb3918e323b8081eaf33c5a18c26058b59de76de86916b38a7b0ed534bf7f28d0948f51c1e4ed6194e068e83a283d6b254556e6575a41e3b628906a23b85e751e1d0b798af0126610d27d4753c2f2c56341131ea6282dd2241f242f60eac0776028550d6a834a5e82a8519de99d80f430b8f0a2516fb485a41234618a27919bf1e38c9cf0a78cae15ca89c0270124f86f00323142f4967b65306248c8c9b308719c0f68cc68d651bef33093da047d75d06f415f0eff8fe8e00467e00c2cf2bbbc2cd33249efc3b84c7c042caee09bc0c1f4943829be240ed82be2efc1e9fc76e274fe35317ab436de6bd94af13a5e0393b67456ca6ad5e3de3e306be5cab47a0f145d6c5b872d5a24f40772c4bc7934baf34a846b63c79de26b7db96985c105e0b86a3df687199edcc4c7e35f89c51206');
INSERT INTO public.job_results VALUES ('local', 'job_01a217baaa8d415cfca0d1caefcfd4e1', 1, '\x7801ad57db6ee23010fd9528cf88623b09d06fd8877d5fad909b38c4db60478e535a21fe7d67ec181c4a69a9fad6c673397366e6d81cd267a9aaf431ade48bece5532b3665c3a54a67a91e6ca97702ce7467e58eb7f06d276ca3d1bcedd0e2e99f28ad7c019b43aab8b3ddf167d1771c03bcf0764077ca32f6400b42e11bef3aa35fd3c7c57cb55e2e085bae689e5142183bced2273d2096c39d9eb354bcf2d2a68fd60c02c26c7907591790ad14c6ca5a96dc3a88f6ad433c6db7a906de4afb06269d91a5e831290083bf7a6de85caadef2b6dd0965c9dc8852408d58f58a3c10b6289cdb35631a1be7d94391b30f6d596cbba4376db3d8765d5cda9218309dd7ba6df51e6a4a9757004f8cd93dc6d927c613de621857504c6c631464b5becd718c8231168c5bcd2b32df37ba3d8d5c4e6906f4e309bd7a72ea38999fc6f63a693436c8697eca2ad5f384d0b86c4a4357db4bb349c5c56a6ce83bb3b8d6b1ed30df4a5738b16a68db59daebf64518ff1f9c4149ba86cefb8d801d1406160087179703cccb465483e308fedc8865b11205cbea252b6845722e16a56085286ab2147551037d7b6e94545b48f8e72fe6b698fb4f6a1b91b87d4d80f2aa4f6a6d12fc1612f48954c9be9165e33e6313fa64ab934aef95fbe2646696705525dc8804a4a61baca866e88781b6b0732ad1a612c619453bd9835b726a1ea60690109e2b703e6d6ef224e04424d226e30af72eb012afd6e715c0cedbc40535d0f6893fc076a45073341bb194799d042a7e13a0e93745d38e83e09412f4cf3a96a223c70030777003092dfa856e58762bacd40abe6459908ca80c8843a16f16220fddc670b00ddd3e8742699d848a817e291880ef1b6804c23ec74588917bfa48dc88799d04c4aebeda80fafa0a1859ba593eceee8881e0a31864edd7e6660ca0e4340088e332c6c8641c034deea9252b7c37ee8a718963e177fb668c4f6a01f5c47be4081d826b58c05482c2418fdc4840ed78d109778707e666e152b786abbe067998b0e585c34df7747a714421a01bcc4ba6dc70c061c88115bd47b0ce49b8e9c777c5b8d753047e6e3c8211cd1752c7c3155207388102c6c2ed783b3ff6e9defc21575c7af8f661fe9f6a016a00ee27b6201aeec04344bc9f8558006e53813b7e8d8a6bfb1220c4bb11209ca9f708ce6a763bff975bf109059fe6ff662b6ef140a2fd0e3c9cebf63ce073c13f04bfc7c38fe7ff291ea27e048d8a44e15cf6bd03f9d140bc23e20a00104959e1f3060472724184cb76b0f09881258af7c37b8090e2664fbc30a55730ef45f2651e046ef40a0a80fabc1d3828ae1590ff90d6702b6a7899014a788e0bb3197fdea0e01dcfaf8acd5eda66e3866780df2d5e0e9de9a6d7832971e301d3d6f01d82e1bdbba2ff1eff035a363c22');
INSERT INTO public.job_results VALUES ('local', 'job_01a217baac5d7e5090a0cb04e8a2039c', 1, '\x78017d51cb8ec2300cfc179f2ba069cbeb2b7a470885d4b459d2264a131eaaf8f7b503122bade066c7339e196782b31e1ad8422fc780fe70b5fe8c1e32b03128db234dac0bba9786de7a0c9d65b0718c38fea00afa4298090699b0a1f336b69d8b81001769222f10f9bc5c502f9df3f606dbc5ac12d52383a38d2c3d7d07668037a9026c838f48ac563adac9fb14faa04f5ac9902c84bb6335e30e4d9446873b419cd70a47d6a8f319e521638c7919a2b71153fa7c2e80760fb661f4108dc960b4e642a7481dcdc8bb3d11f7e986d2a12771a4006c8ce0aac3261a5e4fe561951f9b65b959e1a692a896120b990b219a129b722d9a8acc5da51ff4d092e06ecfda81b5b97c194db7a9f33f7e45aad7c4ad8b77593e111c80e2d0a57613998f5eb117e26710a46f9106500bea4e3ab9d4c3f39b7cba1f14f3356df8cc2c3e32f37f4c56796b965f98253cf68f5fe3a6c34f');
INSERT INTO public.job_results VALUES ('local', 'job_01a217baad5760154c3a234ddd2fe21c', 1, '\x78018d54cb72db300cfc179e9dd48e6b25ce213f92e968288a92d850a4860293783cfef72e44bd9cba0f9f647001ec124b9cc59b71a57816ad773e97d67a25c9782736c24752bed538f31d99565ac45a4d8d6778e70355de1acfc0e2a75664de013d0b2787146a828f75d34502e05ddac87576df32fc935d17fca778dedeefb22fbfcb46143e329ff3ff276d84fe948ac43385a851a1961d7a6dd149e940a632503450a353c72c6c9797515a432740ba6094eeb99f95a1d6f7500cce89ec11e73d74dbabe8ee49a089f325a7b9682d40debeeb90fee10cf27c85468916e4eb00161aaa9821e0aad165b4dc049ff9ee901df707953d1ed5615be9fde3f1a1d055b1fffe24cba27a3880c5870cceb81a0d5f7f706fe2defcd9a1f4300fbed816370b148b51b2a318d0e1159fad0e52000ccdb5e3d0208a23a5264c8e43837a0e5190ea6d15b90c21d7573a70cfb3a80c33e7baa9c55417b99da4261d0d2dc7dbe3aa7d23998dd8e1ee961289d04c63552131dc2cb46e17583824daab0aa3ec89c3ed52c07ba52278b3e5595dd0bd8f4131d754e1ee2559c01af7863bc643e0b36cd0b1025fbbe7cfb86b3ffd0377f792ca5ef73e7ced9d88ce269d8beec505020b4f64b5d33cd5db9a2a137aca9395d28c49f6093d8d1896c633e93d4c3e196a31df8e673aa64c235d274cc39cccba5fe147070e8f66ee90ccb83438ac12d2a0ff8ecf58b7c5ab77eab4e8ca7017b19a7d7c8b61294942e1f0c4cffc8e7fa334211e8721ac11b3e126c8c378fdd867f96caaa0adfc9c366c8b2b95f5f4963fb4a91bc200ce17ac2eec21194ccfb61c978c6923340d461d2384bf3d19c539a2e2c5991727f0ef4ddb599dd741eb9297dcb818004b8986b011b812225b5ecfc1c8c22efb4ce104f76c1cb34929ab7d77b9fc02dcee0cdb');
INSERT INTO public.job_results VALUES ('local', 'job_01a217bab530e78f65a1bb6937486574', 1, '\x7801cd534b8edb300cbd8bd6c64cfc2bd29c6216d90d028391655b1d4512643a9dc0c8ddfba80468d3229b76d31d45f17d4491abfab0be573bc5347f7463a238a9428585753819a443647b2287dcc9f014a45207b79c7c371a6f12b10d5e00c76f46b33d03b22a4f19ca530acb38c585517026b7085f8998624ce153edca97cdb550c7b08881f55949a1cc2769563b4e8b41fd48113c1bf06893d80e56136759be445170b1eb1772962f2889c96a330bfb5bf5329bfcd25281c5875ef27e71ae50737067936e27dcc15d18c074d3857793206360522ca05c4fa65f9c8821eccae376d8d240bda9daeda6ff3ae8c6d46dadebf68b26ddc88bbf53f2d68f107c3f88368bb684e45c807f345112abc25f1874665328b436f7ebb5025e3e0705abda97107d13ca7d25915cee6b896a891a891a791f27f2f360d28d76b0e2f65de01909e5483c492a938107a979a2943541b0aa474c2d058f989c7a82c9be9a078ca4e0edb9cefd05bfea48ea0fcc41dcdd1b55fe4ba3daffb851ed5f34ea77cce12acd668cd7cc56e7f9b17cdf599cb6d8a0bcca882bcca8ed652210f52662538cd7970ea1246f6b72a664e9e87eee8dc6d862d0ac675048cdf5fa03640c486d');
INSERT INTO public.job_results VALUES ('local', 'job_01a217bab630962477f622489247cbdc', 1, '\x7801cd534d8fda3010fd2f3e475b9c000bfc8a3d705ba1c8384ee2aeb12d674c1745fcf77d63905a5a71692fbd4d5ee67d6432338b0feb3bb113a4a68f76482a8ea21221930e27033844b227e5809d0c8d813b7570f9e4dbc1789314d9e09970fc6e34d93328b3f0aa50694c210f63cc8486b37299f5246a15630a9f62275f16d74a1c43e600f3b3964a984fa549ec286583fe4145e82ca0a34d22db5bada8d8d225b2838b6d9795b374414b4c569b89d5dfea97c9942f95022a3e748cfbec5c25a6e0ce26dd9ef00ee9420fa59b2fb29b041b83901c01ed7a345d766c86b25d6da596fdbaee377dd76cf56abddde885ac5f3bd99ba6936bc4f8a192b77e80e1fb81bd89bdb954ce05e4c710199805fe85c1641695c068cbbcbed5e0f3cf41c32cf612a66f3cc47dcd15bfdc375c355c2db95af2f751527eea4dbac9f696d3be33bd30e11c158d0c1531e8009a46958a270466f1c869b8e19153a0279c926bf9c06108d99efbdcbfe0571f86fee01c38dd7d50f25f06b5fa8f07b5fa8b41fdce395c79d884f59ac8eab23f96ee378ba70d2ea89c32ea1a3b6a3bde08549d89b814e3f5a545c9e0ed4cce2a5975743fef46636db168d61324b8e77afd024dc847bc');
INSERT INTO public.job_results VALUES ('local', 'job_01a217bab74b5c0707718af4c567cc31', 1, '\x78017d51cb8ec2300cfc179f2ba069cbeb2b7a470885d4b459d2264a131eaaf8f7b503122bade066c7339e196782b31e1ad8422fc780fe70b5fe8c1e32b03128db234dac0bba9786de7a0c9d65b0718c38fea00afa4298090699b0a1f336b69d8b81001769222f10f9bc5c502f9df3f606dbc5ac12d52383a38d2c3d7d07668037a9026c838f48ac563adac9fb14faa04f5ac9902c84bb6335e30e4d9446873b419cd70a47d6a8f319e521638c7919a2b71153fa7c2e80760fb661f4108dc960b4e642a7481dcdc8bb3d11f7e986d2a12771a4006c8ce0aac3261a5e4fe561951f9b65b959e1a692a896120b990b219a129b722d9a8acc5da51ff4d092e06ecfda81b5b97c194db7a9f33f7e45aad7c4ad8b77593e111c80e2d0a57613998f5eb117e26710a46f9106500bea4e3ab9d4c3f39b7cba1f14f3356df8cc2c3e32f37f4c56796b965f98253cf68f5fe3a6c34f');
INSERT INTO public.job_results VALUES ('local', 'job_01a217bab850fec14dfc26709a376cc3', 1, '\x78017d51416ee3300cfc8aa1b3d1d48ad3a67945ee41113012636b2b4b824ca52d82fc7d474e812eb0686fa438c399a1aeeacd05ab766aa259381fdf637ee3ac5a158b9838312631899bc8e36d62196305fb5411a73f6cc45d80b9aa400b56c61ccb30a622005cc897ba4077abfe113da594e387da3d3e6cf4e6d6aa532c55fafa3bb055fc4146d44e7261b0064ad859f719cee2cece902c16e43355359f8eb69077f20948cacef05c35f6dd03f2c058c57c19c2dbcc4bfa6ea5157687682b3a14ef5b35477fc129960e33788f6770ef6e908e33c41901aa31c0cdc8b6f8ba1ee5f1b93bd9a7fee5995f36c4e689784d9dd6daf66cfbadb61b987ba71c5c18207850934b47246bdcdc84284d99d9ee1a19b981ec90696a46aa93c605e1817373a1ece8e4e1f6b5da966afb80f22be372d67df74f54bdd45bc8eed7df657f47d4ecb8048e7cb82277c9a6c600bf554279600cd45ea33bbb25a00bf71fcecbe9d57ab5c5869f99eb1f99dd7fccaaf2add9ffc2ecd5edf5f61727e4d8a1');

INSERT INTO public.jobs VALUES ('job_01a217bad03c4fb0ab666a509f59515a', 'local', 'cell', 'queued', NULL, '{"queued":"cell"}', '[]', 60, NULL, NULL, NULL, 0, 0, NULL, NULL, '2026-11-26 12:00:48.728069+00', 0, 1, '2026-11-26 12:00:48.728069+00', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217baa3dfe89befce7042d6c794bc', 'local', 'cell', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","iterations":3,"value":"1/11","bound":"23/243","elapsed":0.381}', NULL, 'sch_e2043291da5485fa599777020e7139b2', 1, 0, NULL, NULL, '2026-11-26 12:00:37.353664+00', 0, 5, '2026-11-26 12:00:37.353664+00', '2026-11-26 12:00:37.416189+00', '2026-11-26 12:00:38.758518+00', '{"name":"throughput","value":"1/11","approx":0.09090909090909091}', '{"value":"1/11","approx":0.09090909090909091,"exact":false}', '0');
INSERT INTO public.jobs VALUES ('job_01a217baa989514963187c775ee69db4', 'local', 'cell', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","iterations":8,"value":"100000/3","bound":"100000/3","elapsed":0.014}', NULL, 'sch_92d48c6841dd9e36c8023daf4e3ba6c7', 1, 0, NULL, NULL, '2026-11-26 12:00:38.805434+00', 0, 4, '2026-11-26 12:00:38.805434+00', '2026-11-26 12:00:38.824759+00', '2026-11-26 12:00:38.874064+00', '{"name":"throughput","value":"100000/3","approx":33333.333333333336}', '{"value":"100000/3","approx":33333.333333333336,"exact":true}', '0');
INSERT INTO public.jobs VALUES ('job_01a217baaa8d415cfca0d1caefcfd4e1', 'local', 'divisible_chain', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","iterations":9,"value":"2343/2612","elapsed":0.098}', NULL, 'sch_e768e634f7362d15ae0ce36e6f17ef6f', 1, 0, NULL, NULL, '2026-11-26 12:00:39.06296+00', 0, 4, '2026-11-26 12:00:39.06296+00', '2026-11-26 12:00:39.082115+00', '2026-11-26 12:00:39.335575+00', '{"name":"makespan","value":"2343/2612","approx":0.8970137825421133}', '{"value":"2343/2612","approx":0.8970137825421133,"exact":true}', '0');
INSERT INTO public.jobs VALUES ('job_01a217baac5d7e5090a0cb04e8a2039c', 'local', 'master_worker', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","iterations":8,"elapsed":0.005}', NULL, 'sch_71bd6497e95aec6ae3a1222d4ed482d5', 1, 0, NULL, NULL, '2026-11-26 12:00:39.520499+00', 0, 4, '2026-11-26 12:00:39.5205+00', '2026-11-26 12:00:39.547522+00', '2026-11-26 12:00:39.57441+00', '{"name":"throughput","value":"21/40","approx":0.525}', '{"value":"21/40","approx":0.525,"exact":true}', '0');
INSERT INTO public.jobs VALUES ('job_01a217bad08cd3a105bbf6584a76654e', 'local', 'divisible_chain', 'queued', NULL, '{"queued":"divisible_chain"}', '[]', 60, NULL, NULL, NULL, 0, 0, NULL, NULL, '2026-11-26 12:00:48.783437+00', 0, 1, '2026-11-26 12:00:48.783437+00', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217baad5760154c3a234ddd2fe21c', 'local', 'mono_allocation', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","value":"1/6","bound":"1/6","elapsed":1.823}', NULL, 'sch_156935c679c50fe3792befb348adbf25', 1, 0, NULL, NULL, '2026-11-26 12:00:39.77706+00', 0, 5, '2026-11-26 12:00:39.77706+00', '2026-11-26 12:00:39.800282+00', '2026-11-26 12:00:41.642678+00', '{"name":"throughput","value":"1/6","approx":0.16666666666666666}', '{"value":"1/6","approx":0.16666666666666666,"exact":true}', '0');
INSERT INTO public.jobs VALUES ('job_01a217bab530e78f65a1bb6937486574', 'local', 'task_graph', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","iterations":2,"value":"1","bound":"162259329790088932501928940666880/162259276829211170138559480856081","elapsed":0.066}', NULL, 'sch_1b8f8afade2580d9fc4e353c356cac41', 1, 0, NULL, NULL, '2026-11-26 12:00:41.779213+00', 0, 4, '2026-11-26 12:00:41.779213+00', '2026-11-26 12:00:41.804263+00', '2026-11-26 12:00:41.892952+00', '{"name":"throughput","value":"1","approx":1.0}', '{"value":"1","approx":1.0,"exact":true}', '0');
INSERT INTO public.jobs VALUES ('job_01a217bab630962477f622489247cbdc', 'local', 'task_graph', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","iterations":2,"value":"1","bound":"162259329790088932501928940666880/162259276829211170138559480856081","elapsed":0.048}', NULL, 'sch_591c1f62f8fd39c5698c0127d1fe3d16', 1, 0, NULL, NULL, '2026-11-26 12:00:42.04057+00', 0, 4, '2026-11-26 12:00:42.040571+00', '2026-11-26 12:00:42.079301+00', '2026-11-26 12:00:42.149897+00', '{"name":"throughput","value":"1","approx":1.0}', '{"value":"1","approx":1.0,"exact":true}', '0');
INSERT INTO public.jobs VALUES ('job_01a217bab74b5c0707718af4c567cc31', 'local', 'master_worker', 'succeeded', 'optimal', '{"study":"old"}', '[]', 60, '{"phase":"verifying","iterations":8,"elapsed":0.019}', NULL, 'sch_71bd6497e95aec6ae3a1222d4ed482d5', 1, 0, NULL, NULL, '2026-11-26 12:00:42.320961+00', 0, 4, '2026-11-26 12:00:42.320961+00', '2026-11-26 12:00:42.33825+00', '2026-11-26 12:00:42.383871+00', '{"name":"throughput","value":"21/40","approx":0.525}', '{"value":"21/40","approx":0.525,"exact":true}', '0');
INSERT INTO public.jobs VALUES ('job_01a217bab850fec14dfc26709a376cc3', 'local', 'master_worker', 'succeeded', 'optimal', '{}', '["mip_gap is not used: the program has no integer variables"]', 30, '{"phase":"verifying","iterations":8,"elapsed":0.019}', NULL, 'sch_71bd6497e95aec6ae3a1222d4ed482d5', 1, 0, NULL, NULL, '2026-11-26 12:00:42.585557+00', 0, 4, '2026-11-26 12:00:42.585557+00', '2026-11-26 12:00:42.633391+00', '2026-11-26 12:00:42.686429+00', '{"name":"throughput","value":"21/40","approx":0.525}', '{"value":"21/40","approx":0.525,"exact":true}', '0');
INSERT INTO public.jobs VALUES ('job_01a217bad0a08423097af6ccd93f7128', 'local', 'master_worker', 'queued', NULL, '{"queued":"master_worker"}', '[]', 60, NULL, NULL, NULL, 0, 0, NULL, NULL, '2026-11-26 12:00:48.803611+00', 0, 1, '2026-11-26 12:00:48.803611+00', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bad0b1e03b3f3b3ba51e255eeb', 'local', 'mono_allocation', 'queued', NULL, '{"queued":"mono_allocation"}', '[]', 60, NULL, NULL, NULL, 0, 0, NULL, NULL, '2026-11-26 12:00:48.82967+00', 0, 1, '2026-11-26 12:00:48.82967+00', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217bad0d1252710c90bec2b40e308', 'local', 'task_graph', 'queued', NULL, '{"queued":"task_graph"}', '[]', 60, NULL, NULL, NULL, 0, 0, NULL, NULL, '2026-11-26 12:00:48.857523+00', 0, 1, '2026-11-26 12:00:48.857523+00', NULL, NULL, NULL, NULL, NULL);

INSERT INTO public.platforms VALUES ('local', 'plt_f61b242dc11bcf758c318efe14050b6f', '{"name":"RR-4870, figure 3","counts":{"processors":4,"links":4,"media":0,"routes":0},"warnings":[]}', '\x7801ad90dd0a824010855f25e6da404b287c8af03624161d6d69fd617fa810dfbd192392a542a4cbd99d73e69caf8746d40809a4e93adeefc26055caca695c6d21804eb7391ad36a03c9b10759d0de21a20fd7487bb2721446213d98abb4f91992522883012861b1c9efb41ec210bc941b4fc9f32c2167999e9c2d8c3d2167ff7531a3e8b2b93ceb9ad6e99cd18c95add0155a9efc1a6c5ab84ee18d7e4ba714cd351652103436f4587cb3f54b2eb6e57cefb49f102c4acbf9fe634b50267c74eb2c32f16c78009e8ac87b', '2026-11-26 12:00:42.290476+00');

INSERT INTO public.schedule_chunks VALUES ('local', 'sch_e2043291da5485fa599777020e7139b2', 'allocations', 0, 0, 1, NULL, '\x78019591310b83301046ffcb37076aac3a6477173a8a9450234841e52e4341f2df9bd44a6f29e2f6022fc7f1ae5d318cc4febe381ae79e61da151bc3688585e687639e09064d536b2878cbcff8f21982faebde9a3a17ae3e70e5dcfc847b3d70e50ec509b73c70e5be1542a7304ebd7bc16489d8db29564b4dbf5d63aff485ac77092f7a1f1083af29e5afae8ebcd7cb37fec857c185704ac1d5ee847826b2130f8ed249bbd0bd01919a9230');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_e2043291da5485fa599777020e7139b2', 'computations', 0, 0, 7, '0', '\x78018bae564accc9c94f4e2cc9cccf53b232d0514ace2fcd2b51b2523254d2512a28ca4f4e2d2ece2f02f203025c4142c525894520690320bb24b1381bc82c01b3337353816c4ba55a1d2ea2cd0cc66da611c87c88992694986982e44e632a99698164a619c24c6352dd09f223b6f0048533d4efa69498698ae44e703840c293227722fb1d6c3edccc58002e23acb9');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_92d48c6841dd9e36c8023daf4e3ba6c7', 'allocations', 0, 0, 1, NULL, '\x78018591410bc2300c85ff4bce059d8a87debd0f3c8e21c575ae3ad6d11414c6febb4956d4c9c49db2f6bde47b693140ed02c6536f83f315822e06986ad099823ef8b345f40134e4f9210305d1e08dfeb06f5d8451bde5bbb9fc981f366f79ebef7fc41fbd1b776966eafdbcf59ce4ea5d0763a9c075957d805e7385d17444ceb9523662e611c144cbe59abfd5361152f00164ac060267a1b47da5667eb9e24c53f67437d24a82e9b0b6615a5fed5a9a50249502b6125d6f62c3c7095ed643c7d898204012f8db2b488be68c7b2e9b7960e2ffb0a6f790f13fad326fd1cb2b59f09663f9045fcaaf77');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_92d48c6841dd9e36c8023daf4e3ba6c7', 'computations', 0, 0, 4, '0', '\x78018bae564accc9c94f4e2cc9cccf53b232d0514ace2fcd2b51b2523254d2512a28ca4f4e2d2ece2f02f203025c4142c525894520690320bb24b1381bc82c2ec8c92c0171337353411af54d0d8040a956878b5cc36146c0adc8cacfcc43b6c1106403695604e3747f46667a06c270637df20c37021a81257072f2cbb1991d0b00f87d6d39');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_92d48c6841dd9e36c8023daf4e3ba6c7', 'slots', 0, 0, 1, '0', '\x78019d90b10ec2201445ffe5ce24b6ba75ef4ee2d830104aed3304cc83ead0f4df05e26074a932715f2ee79d30ac1817d689824787d3a16dca81404c9a531e957b62ede36439a21b5668e78279bd68044c587c29b6b93891b3b9837873947276e10125c0d658ba5bceadb3ec8f856efd58b3947d8b4dfc449de9327f63cbfebfb04552e01ac87f40abdb1bb4baef74ad8e7ba9f907d4a69e919278b0');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_e768e634f7362d15ae0ce36e6f17ef6f', 'events', 0, 0, 10, '0', '\x7801a593cb0e82301045f77ec6ac49a00f50f90617ee890ba23512b0981657c67fb7350e944751e292a6b9a7e7ce903d40c813a440b6344c62060114523779555d856c20250194c5fb42a372a9cf42991b55214b4833d813f3b1a7703047756e5376f6445f72257a912650993088e019ac90b88d49481342fdc8637dbddd1b61894efc4dd547a175ad4ce0fb05c86364fd5198e43196cc1bfe80b38f455cd718e2f0c491f440e93fb5723ed09ce052c6d9e276ad9db75d9e0cb1ed001d5fde3eaeb7469defd292db3c2c191bfd0e5dbabbbde1469b41c913dc98c64b376a54f13c14eb74643dd0aee1df7e5497bb2103d709ac77a13af078b4b3b6232a9a3d0f2f7af747b6');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_71bd6497e95aec6ae3a1222d4ed482d5', 'allocations', 0, 0, 4, NULL, '\x7801a5904d0ac2301844f71e63d6019bb482e414dd9722d1a63628b12459082577f74b117f5b177511984cc8e331d500631b7d85cc18251f943d68bfebb54bc75c1a4870303815748aeb22a35b50fee4218731505d72446a9db2bed58e5eaa3ab2d503cd67d19b57f4768a2c3ec9035a7326970a7b7d34f6fe073543af42977ab2612845aa7ca7dce88df86624fe30ca971ae5bf8cf259239e167fee3f3552b15449a4a58a2faffa061071a4ae');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_71bd6497e95aec6ae3a1222d4ed482d5', 'computations', 0, 0, 4, '0', '\x78018bae564accc9c94f4e2cc9cccf53b232d0514ace2fcd2b51b2523254d2512a28ca4f4e2d2ece2f02f2034002c525894520490320bb24b1381bc80453405e666e2a906762a054abc3856aa821c2505374438dc835d4088fa1c6e41a6a8c30d410e44514ff9b106b6a2c00b27565af');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_71bd6497e95aec6ae3a1222d4ed482d5', 'slots', 0, 0, 3, '0', '\x7801a590b10ec2201445773fe3ce0c02baf42bdc1b06a4af86d84002d4a5e1df85aa310c3651375e72b8b9e7f60b8639e864bd4307b107434c3aa472d4770adac5914244d72fd0d3e4cd93950cc6cfae82bc92a39da84038d3c5bafa53c72b14432043f646a1702751d3c90d8f8b23b3ff330f4da6405699ed1aa9b5de4b6a35fc6cc5df56c75fa5b60bc8ed59c5f70564b34059556575071a62911d');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_156935c679c50fe3792befb348adbf25', 'allocations', 0, 0, 1, NULL, '\x78017d8fc10a83300c86df25e7c2e665075f4564841ab5d87592743010df7da9d5cecb7628247f9aefffd32ce042476fa8af462b89182cc97d264ecf3d3ba8a102038c915279b969135126817a01f46e082acb03bdd781c539be387db4f82046953a8a64a32a1e79a0b4cc68a7d2af9b10a4275662b340efbcee3705657693d6c08c71cca39d9d6d7522236eae15ace68bc8e94a8413e1c89b33fd041ce71ca14f8472df3f54bbb61f580d70b5');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_156935c679c50fe3792befb348adbf25', 'computations', 0, 0, 4, '0', '\x7801a5d0310ec2300c05d09d6378ce50a062e8552a06cb5855d424ae1c7742bd3b4919b274007573bea3a72f8f6fc01084d0bc24183a07246b3218e00a0e1615e29c45cb9b30b26209b3a1d60f5d990df3bcef165b956be02397e00e9bbbfc4ce7583a1ccb18fc949afbf8cb0da8532d75d0f8c5c6640dee4fc17d85bea730459a9b7b83edf9017f2c6e03');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_156935c679c50fe3792befb348adbf25', 'slots', 0, 0, 1, '0', '\x7801a58fc10a83400c44ff65ce7b682f3df82be221c4284bd7b564632fe2bf37d6d282d022f41686c79b493da39d942c8e19152e0828466a7e9ffc36a55c3ad182aa9e41298dfc424f013c4e7905cf0e7631893360bad9a4e209a5d86734012a2cf12eea64195cb156486e9f01d3204a58c221f9a60c68c5846de74ea4fddafb766f6507d59fddfe325f77ee3f77ff967f1bde2ccd03c00885ea');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_1b8f8afade2580d9fc4e353c356cac41', 'allocations', 0, 0, 2, NULL, '\x7801cd90c10ac2301044ef7ec69e039aa6bdf42b3ce45682049bd2a2d492e42084febb3b41c4567a11040f81c96cdeec669b44c3d8ba3bd507c12a443b9e5d384dcee30cb7966a9224c8dbe820f7055fa20d974075222dd93ba2ae0b2814b58252502554493313de8ea1739ea92651375c39ac019e492368b2b18795c33887add05b9f7b72c09a5178b064b2b5c1e4b9ca05038b67dbeef3fcc17b1f581f8c99c5eeb544f9a325567fbcc4ea8b25ae19339b079032b059');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_1b8f8afade2580d9fc4e353c356cac41', 'computations', 0, 0, 8, '0', '\x78018bae564accc9c94f4e2cc9cccf53b232d0514ace2fcd2b51b2523254d2512a28ca4f4e2d2ece2f02f2034002c525894520490320bb24b1381bc80c01899764e6a682f5d4ea70a19a6848a48960538832119f1b8d70b811244e9e1b914d4476237e13f1b9d118871b41e2e4b911d9446437e237119f1b4d70b811240e75a3911249716d4a9489b10063e0bf6d');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_1b8f8afade2580d9fc4e353c356cac41', 'slots', 0, 0, 4, '0', '\x7801b593c10a83301044effd8c3d076a8cbdf8153d78130f4123081221c65ec47f77138b6dacb509c59b81c9b833fb928f500d8aeba6939002bdc640a0d75c693c45f8ad15977d2d540f693e026fdbae7c8a2302653748235caed54d2b500599f1c812280828518ae621146aee897116b25a4e314cc4f5a36f7e285ddda8718bb76e76ced58d1ebad950ab1fdb9deee64cc7602a267239e86689ecd7ceff69ceecfa947630b25f373e7f77c9c1dd8490c3b6e498fdbf380c21679f6b971ce4fa0739cc46f66be7839ce034dfc9d97f07215dbbbbf36ea7980176da4e37');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_591c1f62f8fd39c5698c0127d1fe3d16', 'allocations', 0, 0, 2, NULL, '\x7801cd90c10ac3201044effd8c3d0bad89b9e42b7af016a42c8d21a1c506f55010ffbdbb524a93924ba1d083308ebe599d2ec1e47a7b87f620488588ee6cc369b69ed774eba1850a04788c96a4dcf32662b80468136849de5192a52b567ca86b56352bc54a4126c2a30b83f544750986e94a611de3853402668c235b258c72c80a23fa329302d64ccd17964cb13698f22eb560d8a2b76dcf79fee07d0e5b1f8cc962f72a51fea8c4e68f4b6cbe2871cd986c1e93b9b05b');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_591c1f62f8fd39c5698c0127d1fe3d16', 'computations', 0, 0, 8, '0', '\x78018bae564accc9c94f4e2cc9cccf53b232d0514ace2fcd2b51b2523252d2512a28ca4f4e2d2ece2f02f2030c8102c525894520490320bb24b1381bc80c01899764e6a682f5d4ea70a19a6848a48920eb8833119f1b41a6607323d874b2dc886c22b21bf19b88cf8dc638dc0812272f1c914d4476237e13f1b9d104871b41e250379a289114d7a64499180b007c33bf82');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_591c1f62f8fd39c5698c0127d1fe3d16', 'slots', 0, 0, 4, '0', '\x7801b5923d0b83301086f7fe8c77cee057177f45073771081a419008317611ff7bef68a944ab8dc56e39b83cc9bdf7e423aac148db741a294208f4561a4be780ced648ddd7caf448f311b26dbbf2d51a0894dda0b9912fd54daba80759444596a01030aa54cd5d19eab825cc55ba7a561126e1d2c299c680378dd1845cd0b865a6857b34e76f31d3567fbb3ab418533189cb662a0cf44ae58439fe96f1e9a9f0b05ea978bcecba42fb38e24abc748577fe8b2b3cd13757c8e35d57f86daf54d6ae1c9e63cb95cfce1fc8d8d998772ac503ce1648ee');

INSERT INTO public.schedules VALUES ('local', 'sch_e2043291da5485fa599777020e7139b2', '{"period":"11","instances_per_period":"1","throughput":"1/11","optimal_throughput":"1/11","loss":"0","rounding_loss":null,"ports":"multiport","prologue_periods":0,"latency_periods":1,"preempted":false,"counts":{"allocations":1,"computations":7,"slots":0,"transfers":0},"files":[]}', '2026-11-26 12:00:38.741033+00');
INSERT INTO public.schedules VALUES ('local', 'sch_92d48c6841dd9e36c8023daf4e3ba6c7', '{"period":"3/100000","instances_per_period":"1","throughput":"100000/3","optimal_throughput":"100000/3","loss":"0","rounding_loss":null,"ports":"multiport","prologue_periods":5,"latency_periods":6,"preempted":false,"counts":{"allocations":1,"computations":4,"slots":1,"transfers":4},"files":[["split","low"],["split","high"],["low","join"],["high","join"]]}', '2026-11-26 12:00:38.867297+00');
INSERT INTO public.schedules VALUES ('local', 'sch_e768e634f7362d15ae0ce36e6f17ef6f', '{"period":null,"makespan":"2343/2612","instances_per_period":null,"throughput":null,"optimal_throughput":null,"loss":null,"rounding_loss":null,"ports":"strict_one_port","prologue_periods":null,"latency_periods":null,"preempted":null,"counts":{"allocations":0,"computations":0,"slots":0,"transfers":0,"events":10},"files":[]}', '2026-11-26 12:00:39.333431+00');
INSERT INTO public.schedules VALUES ('local', 'sch_71bd6497e95aec6ae3a1222d4ed482d5', '{"period":"40","instances_per_period":"21","throughput":"21/40","optimal_throughput":"21/40","loss":"0","rounding_loss":null,"ports":"one_port","prologue_periods":2,"latency_periods":3,"preempted":false,"counts":{"allocations":4,"computations":4,"slots":3,"transfers":4},"files":[["begin","task"]]}', '2026-11-26 12:00:39.572719+00');
INSERT INTO public.schedules VALUES ('local', 'sch_156935c679c50fe3792befb348adbf25', '{"period":"6","instances_per_period":"1","throughput":"1/6","optimal_throughput":"1/6","loss":"0","rounding_loss":null,"ports":"multiport","prologue_periods":5,"latency_periods":6,"preempted":false,"counts":{"allocations":1,"computations":4,"slots":1,"transfers":4},"files":[["capture","align"],["align","detect"],["detect","track"],["capture","track"]]}', '2026-11-26 12:00:41.640443+00');
INSERT INTO public.schedules VALUES ('local', 'sch_1b8f8afade2580d9fc4e353c356cac41', '{"period":"2","instances_per_period":"2","throughput":"1","optimal_throughput":"1","loss":"0","rounding_loss":null,"ports":"one_port","prologue_periods":4,"latency_periods":5,"preempted":true,"counts":{"allocations":2,"computations":8,"slots":4,"transfers":12},"files":[["T1","T2"],["T1","T3"],["T2","T4"],["T3","T4"]]}', '2026-11-26 12:00:41.889667+00');
INSERT INTO public.schedules VALUES ('local', 'sch_591c1f62f8fd39c5698c0127d1fe3d16', '{"period":"4","instances_per_period":"4","throughput":"1","optimal_throughput":"1","loss":"0","rounding_loss":null,"ports":"one_port","prologue_periods":4,"latency_periods":5,"preempted":false,"counts":{"allocations":2,"computations":8,"slots":4,"transfers":12},"files":[["T1","T2"],["T1","T3"],["T2","T4"],["T3","T4"]]}', '2026-11-26 12:00:42.147979+00');

INSERT INTO public.tallies VALUES ('local', 'cell', 1, 0, 0, 2, 0, 0);
INSERT INTO public.tallies VALUES ('local', 'divisible_chain', 1, 0, 0, 1, 0, 0);
INSERT INTO public.tallies VALUES ('local', 'master_worker', 1, 0, 0, 3, 0, 0);
INSERT INTO public.tallies VALUES ('local', 'mono_allocation', 1, 0, 0, 1, 0, 0);
INSERT INTO public.tallies VALUES ('local', 'task_graph', 1, 0, 0, 2, 0, 0);

ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);

ALTER TABLE ONLY public.applications
    ADD CONSTRAINT pk_applications PRIMARY KEY (tenant, id);

ALTER TABLE ONLY public.compatibility
    ADD CONSTRAINT pk_compatibility PRIMARY KEY (oldest);

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

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT pk_jobs PRIMARY KEY (id);

ALTER TABLE ONLY public.platforms
    ADD CONSTRAINT pk_platforms PRIMARY KEY (tenant, id);

ALTER TABLE ONLY public.schedule_chunks
    ADD CONSTRAINT pk_schedule_chunks PRIMARY KEY (tenant, schedule_id, part, number);

ALTER TABLE ONLY public.schedules
    ADD CONSTRAINT pk_schedules PRIMARY KEY (tenant, id);

ALTER TABLE ONLY public.tallies
    ADD CONSTRAINT pk_tallies PRIMARY KEY (tenant, kind);

ALTER TABLE ONLY public.workers
    ADD CONSTRAINT pk_workers PRIMARY KEY (tenant, id);

CREATE INDEX ix_applications_tenant_created_at_id ON public.applications USING btree (tenant, created_at, id);

CREATE INDEX ix_idempotency_keys_created_at ON public.idempotency_keys USING btree (created_at);

CREATE INDEX ix_idempotency_keys_job_id ON public.idempotency_keys USING btree (job_id);

CREATE INDEX ix_job_labels_tenant_key_value_job_id ON public.job_labels USING btree (tenant, key, value, job_id);

CREATE INDEX ix_jobs_state_failures_id ON public.jobs USING btree (state, failures, id);

CREATE INDEX ix_jobs_tenant_id ON public.jobs USING btree (tenant, id);

CREATE INDEX ix_jobs_tenant_schedule_id ON public.jobs USING btree (tenant, schedule_id);

CREATE INDEX ix_jobs_tenant_state_id ON public.jobs USING btree (tenant, state, id);

CREATE INDEX ix_platforms_tenant_created_at_id ON public.platforms USING btree (tenant, created_at, id);

CREATE TRIGGER tally_changed_jobs AFTER UPDATE OF tenant, kind, state ON public.jobs FOR EACH ROW EXECUTE FUNCTION public.tally_jobs();

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

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT fk_jobs_tenant_schedule_id_schedules FOREIGN KEY (tenant, schedule_id) REFERENCES public.schedules(tenant, id);

ALTER TABLE ONLY public.schedule_chunks
    ADD CONSTRAINT fk_schedule_chunks_tenant_schedule_id_schedules FOREIGN KEY (tenant, schedule_id) REFERENCES public.schedules(tenant, id) ON DELETE CASCADE;
