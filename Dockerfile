# One image for all processes: API, workers, migrations.
FROM python:3.11-slim

ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    OMP_NUM_THREADS=1 \
    STEADYGRID_ASSETS_DIR=/srv/steadygrid/assets

WORKDIR /srv/steadygrid
COPY pyproject.toml constraints.txt README.md ./
COPY steadygrid ./steadygrid
COPY app ./app
COPY workers ./workers
COPY migrations ./migrations
COPY service ./service
# What draws in pages is made here, or the first visitor would wait for it.
RUN pip install --no-cache-dir -c constraints.txt '.[pictures]' ./service \
    && steadygrid assets \
    && useradd --system --create-home steadygrid

USER steadygrid
EXPOSE 8000
CMD ["steadygrid", "api", "--host", "0.0.0.0", "--port", "8000"]
